-- One step of a mark: adds ids and, with the last step, moves `synced`. Follows buckets.lua and
-- garbage.lua.
--
-- KEYS[1]: the tag. ARGV: namespace, start, end, half, evicted, generation, step (from 1), last (1
-- or 0), ids, and what sieves know of them (six bytes each). Answers 1, or 0 where it did nothing.

-- Ids a bucket on average; the widest hold some twice as many.
local target = 320
local tag, start, till, half = KEYS[1], ARGV[2], ARGV[3], ARGV[4]
local evicted, generation = tonumber(ARGV[5]), tonumber(ARGV[6])
local step, last, blob = tonumber(ARGV[7]), ARGV[8] == '1', ARGV[9]
local s = redis.call('HMGET', tag, 'namespace', 'synced', 'open', 'half', 'newest', 'filling',
  'evicted', 'garbage', 'n0', 'n1', 'n2', 'c0', 'c1', 'c2', 'f0', 'f1', 'f2', 'told')
if s[1] ~= ARGV[1] or s[2] ~= start or s[4] ~= half then return 0 end
if tonumber(s[7]) < evicted then return 0 end
-- A step that an older copy of the data has lost must not be taken for done.
if step > 1 and s[3] ~= till .. ':' .. (step - 1) then return 0 end

local filling, garbage = s[6], s[8]
local n = {[0] = tonumber(s[9]), tonumber(s[10]), tonumber(s[11])}
local c = {[0] = tonumber(s[12]), tonumber(s[13]), tonumber(s[14])}
local forms = {[0] = tonumber(s[15]), tonumber(s[16]), tonumber(s[17])}
local before = tonumber(s[5]) or generation
-- Ids always go into the newest: running time never goes back, but a store may have lost some.
generation = math.max(generation, before)
for old = before - 2, math.min(before, generation - 3) do
  if n[old % 3] > 0 then garbage = garbage .. entry(filling, old, n[old % 3]) end
  n[old % 3], c[old % 3] = 0, 0
end
if garbage ~= '' then garbage = swept(tag, garbage) end

local count = #blob / 12
local prefixes = unpacked(blob, 0, count)
local slot = generation % 3

-- One more bucket: the upper half of the widest comes out of it.
local function split(base)
  local first, width = placed(n[slot])
  local parent = base .. (first - width)
  -- The bits behind those that the bucket says: 12 where it says 8, 4 where it says 16.
  local one, width = forms[slot] < 3, WIDTH[forms[slot]]
  local least = first % (one and 4096 or 16)
  local bucket = redis.call('GET', parent) or ''
  local lower, upper = {}, {}
  for at = 1, #bucket, width do
    local c, b = string.byte(bucket, at + width - 2, at + width - 1)
    local bits = one and b * 16 + math.floor(c / 16) or math.floor(b / 16)
    local half = bits >= least and upper or lower
    half[#half + 1] = string.sub(bucket, at, at + width - 1)
  end
  if #upper > 0 then
    redis.call('SET', base .. first, table.concat(upper))
    redis.call('SET', parent, table.concat(lower))
  end
  n[slot] = n[slot] + 1
end

if count > 0 then
  local base = base_of(tag, filling, generation)
  if n[slot] == 0 then
    -- As large as half of the one before: what is missing is split off, and a bucket of few ids
    -- costs more than it holds.
    local last = n[(generation - 1) % 3]
    n[slot] = math.max(256, math.floor(last / 2))
    forms[slot] = n[slot] < 4096 and 1 or n[slot] < 65536 and 2 or 3
  end
  local wanted = math.min(SPACE, math.ceil((c[slot] + count) / target), n[slot] + 32)
  while n[slot] < wanted do split(base) end
  local ids = kept(blob, 0, count, forms[slot])
  each_bucket(n[slot], count, prefixes, function(first, i, j)
    local bucket = redis.call('GET', base .. first) or ''
    local new, seen = {bucket}, {}
    for x = i, j do
      local id = ids[x]
      if not seen[id] and not holds(bucket, id) then
        new[#new + 1] = id
        seen[id] = true
      end
    end
    if #new > 1 then
      redis.call('SET', base .. first, table.concat(new))
      c[slot] = c[slot] + #new - 1
    end
  end)
end

redis.call('HSET', tag, 'synced', last and till or start, 'open', last and '' or till .. ':' .. step,
  'newest', generation, 'evicted', evicted, 'garbage', garbage,
  'n0', n[0], 'n1', n[1], 'n2', n[2], 'c0', c[0], 'c1', c[1], 'c2', c[2],
  'f0', forms[0], 'f1', forms[1], 'f2', forms[2], 'told', (tonumber(s[18] or 0)) + 1)
-- Sieves hear of it within a moment, so little is kept: a few steps, fewer where they are large.
local recent = tag .. ':recent'
local head = table.concat({start, till, ARGV[7], ARGV[8], generation}, ':')
redis.call('RPUSH', recent, head .. ';' .. ARGV[10])
redis.call('LTRIM', recent, count > 500 and -4 or -16, -1)
redis.call('PEXPIRE', recent, 2000)
return 1
