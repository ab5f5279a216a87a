-- Which ids are known, in one or several partitions. Follows buckets.lua.
--
-- ARGV: half and evicted ('' asks no condition), the number of questions, the ids of all of them;
-- then for each, with its tag in KEYS: namespace, start, how many of the ids. Answers two bytes a
-- known id, its place; then for each question 1, nil (no such namespace), or an array: stale, from
-- where it is synced or nil.

local found = {}

local function look(tag, a, from)
  local s = redis.call('HMGET', tag, 'namespace', 'newest', 'filling', 'n0', 'n1', 'n2',
    'f0', 'f1', 'f2')
  if s[1] ~= ARGV[a] then return false end
  if ARGV[1] ~= '' then
    local t = redis.call('HMGET', tag, 'half', 'evicted', 'synced', 'open')
    if t[1] ~= ARGV[1] or tonumber(t[2]) < tonumber(ARGV[2]) then return {false} end
    if t[3] ~= ARGV[a + 1] then return {t[3]} end
    if t[4] ~= '' then return {false} end
  end
  local newest = tonumber(s[2])
  if newest == nil then return 1 end
  local count = tonumber(ARGV[a + 2])
  local prefixes, ids = unpacked(ARGV[4], from, count), {}
  for generation = newest, newest - 2, -1 do
    local n = tonumber(s[4 + generation % 3])
    if n > 0 then
      local base = base_of(tag, s[3], generation)
      local form = tonumber(s[7 + generation % 3])
      ids[form] = ids[form] or kept(ARGV[4], from, count, form)
      local own = ids[form]
      each_bucket(n, count, prefixes, function(first, i, j)
        local bucket = redis.call('GET', base .. first)
        for x = i, bucket and j or 0 do
          if holds(bucket, own[x]) then
            found[#found + 1] = struct.pack('>H', from + x - 1)
          end
        end
      end)
    end
  end
  return 1
end

local replies, from = {''}, 0
for r = 1, tonumber(ARGV[3]) do
  replies[r + 1] = look(KEYS[r], r * 3 + 2, from)
  from = from + ARGV[r * 3 + 4]
end
replies[1] = table.concat(found)
return replies
