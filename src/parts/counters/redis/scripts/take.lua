-- Lets requests of several subjects pass, as many of each as have room in both of its windows, and
-- sets some aside for the process that asks, as long as more than half of both windows is left.
--
-- A key of KEYS holds `count end count end` of its windows, the moments in ms of Redis's clock, and
-- ends with the later of them. A fifth number is the moment until which somebody may put back what
-- was set aside. ARGV: the lengths of the windows, and for how long something is set aside; then
-- for each key how many ask, how many to set aside, and the two limits.
--
-- Answers for each key how many may pass, and before them how many had passed and when it ends, for
-- each window; how many are set aside; and, where some may not pass, in how many ms there may be
-- room all the same. The last number is the time.
--
-- Where minus one asks, one that passed is taken back from windows that are still open.
--
-- A window that ends later than a whole one from now was begun before the clock was set back.

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local lengths = {tonumber(ARGV[1]), tonumber(ARGV[2])}
local asideFor = tonumber(ARGV[3])

local function window(count, till, length)
  count, till = tonumber(count), tonumber(till)
  if till == nil or till <= now or till > now + length then return 0, now + length end
  return count, till
end

local answer = {}
for k = 1, #KEYS do
  local held = redis.call('GET', KEYS[k]) or ''
  local c1, e1, c2, e2, due = string.match(held, '^(%d+) (%d+) (%d+) (%d+) ?(%d*)$')
  c1, e1 = window(c1, e1, lengths[1])
  c2, e2 = window(c2, e2, lengths[2])
  due = tonumber(due) or 0
  if due > now + asideFor then due = 0 end
  local at = k * 4
  local asked, more = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local l1, l2 = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local passing = math.max(0, math.min(asked, l1 - c1, l2 - c2))
  if asked < 0 then passing = asked end
  local r1, r2 = l1 - c1 - passing, l2 - c2 - passing
  local aside = 0
  if more > 0 and r1 * 2 > l1 and r2 * 2 > l2 then
    aside = math.min(more, math.floor(r1 / 8), math.floor(r2 / 8))
    due = now + asideFor
  end
  if passing + aside ~= 0 then
    local text = string.format('%.0f %.0f %.0f %.0f',
      math.max(0, c1 + passing + aside), e1, math.max(0, c2 + passing + aside), e2)
    if due > now then text = text .. string.format(' %.0f', due) end
    redis.call('SET', KEYS[k], text, 'PX', math.max(e1, e2) - now)
  end
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = passing, c1, e1
  answer[n + 4], answer[n + 5], answer[n + 6] = c2, e2, aside
  answer[n + 7] = passing < asked and math.max(0, due - now) or 0
end
answer[#answer + 1] = now
return answer
