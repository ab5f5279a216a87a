-- Lets requests of several subjects pass, as many of each as have room in both of its windows.
--
-- A key of KEYS holds `count end count end` of its windows, the moments in ms of Redis's clock, and
-- ends with the later of them. ARGV: the lengths of the windows; then for each key how many ask,
-- and the two limits. Answers for each key how many may pass, and before them how many had passed
-- and in how many ms it ends, for each window.
--
-- Where minus one asks, one that passed is taken back from windows that are still open.
--
-- A window that ends later than a whole one from now was begun before the clock was set back.

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local lengths = {tonumber(ARGV[1]), tonumber(ARGV[2])}

local function window(count, till, length)
  count, till = tonumber(count), tonumber(till)
  if till == nil or till <= now or till > now + length then return 0, now + length end
  return count, till
end

local answer = {}
for k = 1, #KEYS do
  local held = redis.call('GET', KEYS[k]) or ''
  local c1, e1, c2, e2 = string.match(held, '^(%d+) (%d+) (%d+) (%d+)$')
  c1, e1 = window(c1, e1, lengths[1])
  c2, e2 = window(c2, e2, lengths[2])
  local asked, l1, l2 = tonumber(ARGV[k * 3]), tonumber(ARGV[k * 3 + 1]), tonumber(ARGV[k * 3 + 2])
  local passing = math.max(0, math.min(asked, l1 - c1, l2 - c2))
  if asked < 0 then passing = asked end
  if passing ~= 0 then
    redis.call('SET', KEYS[k], string.format('%.0f %.0f %.0f %.0f',
      math.max(0, c1 + passing), e1, math.max(0, c2 + passing), e2),
      'PX', math.max(e1, e2) - now)
  end
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3] = passing, c1, e1 - now
  answer[at + 4], answer[at + 5] = c2, e2 - now
end
return answer
