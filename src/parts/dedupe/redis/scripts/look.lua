-- Which ids are known, in one or several partitions. Follows buckets.lua.
--
-- ARGV: half and evicted ('' asks no condition), the number of questions, the ids of all of them;
-- then for each, with its tag in KEYS: namespace, start, how many of the ids. Answers two bytes a
-- known id, its place; then for each question 1, nil (no such namespace), or an array: stale, from
-- where it is synced or nil.

local found = {}

local function look(tag, a, from)
  local s = redis.call('HMGET', tag, 'namespace', 'newest', 'filling', 'n0', 'n1', 'n2',
    'f0', 'f1', 'f2', 'w0', 'w1', 'w2')
  if s[1] ~= ARGV[a] then return false end
  if ARGV[1] ~= '' then
    local t = redis.call('HMGET', tag, 'half', 'evicted', 'synced', 'open')
    if half_of(t[1]) ~= ARGV[1] or tonumber(t[2]) < tonumber(ARGV[2]) then return {false} end
    if t[3] ~= ARGV[a + 1] then return {t[3]} end
    if t[4] ~= '' then return {false} end
  end
  local newest = tonumber(s[2])
  if newest == nil then return 1 end
  local count = tonumber(ARGV[a + 2])
  local prefixes, ids = unpacked(ARGV[4], from, count), {}
  local function search(n, own, has, read)
    each_bucket(n, count, prefixes, function(first, i, j)
      local text = read(first)
      for x = i, text and j or 0 do
        if has(text, own[x]) then
          found[#found + 1] = struct.pack('>H', from + x - 1)
        end
      end
    end)
  end
  for generation = newest, newest - 2, -1 do
    local n = tonumber(s[4 + generation % 3])
    if n > 0 then
      local form = tonumber(s[7 + generation % 3])
      ids[form] = ids[form] or kept(ARGV[4], from, count, form)
      local base = base_of(tag, s[3], generation)
      search(n, ids[form], holds, function(first) return redis.call('GET', base .. first) end)
      local trays = trays_of(s[3], generation)
      local m = trays_in(s[10 + generation % 3], trays)
      if m > 0 then
        ids[-form] = ids[-form] or sought(ARGV[4], from, count, form)
        local base = tag .. ':' .. trays .. ':'
        -- Not by GET, so that the statistics of Redis tell trays from buckets.
        search(m, ids[-form], awaits, function(first)
          return redis.call('GETRANGE', base .. first, 0, -1)
        end)
      end
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
