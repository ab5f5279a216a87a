-- One step of a mark: adds ids and, with the last step, moves `synced`. Follows buckets.lua and
-- garbage.lua.
--
-- KEYS[1]: the tag. ARGV: namespace, start, end, half, evicted, generation, step (from 1), last (1
-- or 0), ids, and what sieves know of them (six bytes each). Answers 1, or 0 where it did nothing.

-- Ids a bucket on average; the widest hold some twice as many.
local target = 320
-- Buckets to a tray, and how many ids for each of them it holds before it is emptied: one for 13
-- that are in a bucket, at most so many.
local share, waiting = 16, 24
local tag, start, till, half = KEYS[1], ARGV[2], ARGV[3], ARGV[4]
local evicted, generation = tonumber(ARGV[5]), tonumber(ARGV[6])
local step, last, blob = tonumber(ARGV[7]), ARGV[8] == '1', ARGV[9]
local s = redis.call('HMGET', tag, 'namespace', 'synced', 'open', 'half', 'newest', 'filling',
  'evicted', 'garbage', 'n0', 'n1', 'n2', 'c0', 'c1', 'c2', 'f0', 'f1', 'f2', 'told',
  'w0', 'w1', 'w2')
if s[1] ~= ARGV[1] or s[2] ~= start or half_of(s[4]) ~= half then return 0 end
if tonumber(s[7]) < evicted then return 0 end
-- A step that an older copy of the data has lost must not be taken for done.
if step > 1 and s[3] ~= till .. ':' .. (step - 1) then return 0 end

local filling, garbage = s[6], s[8]
local n = {[0] = tonumber(s[9]), tonumber(s[10]), tonumber(s[11])}
local c = {[0] = tonumber(s[12]), tonumber(s[13]), tonumber(s[14])}
local forms = {[0] = tonumber(s[15]), tonumber(s[16]), tonumber(s[17])}
local w = {[0] = s[19] or '', s[20] or '', s[21] or ''}
local before = tonumber(s[5]) or generation
-- Ids always go into the newest: running time never goes back, but a store may have lost some.
generation = math.max(generation, before)
for old = before - 2, math.min(before, generation - 3) do
  if n[old % 3] > 0 then garbage = garbage .. entry(filling, old, n[old % 3]) end
  garbage = garbage .. w[old % 3]
  n[old % 3], c[old % 3], w[old % 3] = 0, 0, ''
end
-- A release that knows no trays has begun another filling, and left these.
for slot = 0, 2 do
  if w[slot] ~= '' and sub(w[slot], 1, #filling + 1) ~= filling .. ':' then
    garbage, w[slot] = garbage .. w[slot], ''
  end
end
if garbage ~= '' then garbage = swept(tag, garbage) end

local count = #blob / 12
local large = count > 500
local slot = generation % 3
local base, trays = base_of(tag, filling, generation), trays_of(filling, generation)
local trays_base = tag .. ':' .. trays .. ':'

-- One more bucket or tray: the upper half of the widest comes out of it. An id takes `width` bytes
-- there, to its byte `last`. Its half is one of its first 20 bits.
local function split(at_base, n, width, last)
  local first, range = placed(n)
  local parent = at_base .. (first - range)
  local place, bit = 12, range / 4096
  if range < 16 then place, bit = 10, range * 16
  elseif range < 4096 then place, bit = 11, range / 16 end
  local from, two = width - 1 - last + place, 2 * bit
  local bucket = redis.call('GET', parent) or ''
  local lower, upper, past = {}, {}, width - 1
  for at = 1, #bucket, width do
    local id = sub(bucket, at, at + past)
    if byte(bucket, at + from) % two < bit then lower[#lower + 1] = id
    else upper[#upper + 1] = id end
  end
  if #upper > 0 then
    redis.call('SET', at_base .. first, table.concat(upper))
    redis.call('SET', parent, table.concat(lower))
  end
end

-- Those of ids i to j that do not wait in a tray yet.
local function fresh(tray, i, j)
  local text, new, seen = redis.call('GET', tray) or '', {}, {}
  for _, id in ipairs(cut(blob, i - 1, j - i + 1, 3, 12)) do
    if not seen[id] and not found_at(text, id, 12, 1) then
      new[#new + 1] = id
      seen[id] = true
    end
  end
  return table.concat(new)
end

-- Puts those of the ids into a bucket that it does not hold yet, and answers how many it does.
local function put(bucket, ids)
  local text = redis.call('GET', bucket) or ''
  local new, seen, again = {text}, {}, 0
  for _, id in ipairs(ids) do
    if seen[id] or holds(text, id) then
      again = again + 1
    else
      new[#new + 1] = id
      seen[id] = true
    end
  end
  if #new > 1 then redis.call('SET', bucket, table.concat(new)) end
  return again
end

-- Empties the tray of a generation that begins at `first` into the buckets of its range, and
-- answers how many ids there were.
local function emptied(of, first)
  local slot, tray = of % 3, tag .. ':' .. trays_of(filling, of) .. ':' .. first
  local text = redis.call('GET', tray)
  if not text then return 0 end
  local waited = #text / 12
  local ids = kept(text, 0, waited, forms[slot])
  local width, unsplit = geometry(n[slot])
  local firsts, groups = {}, {}
  for x = 1, waited do
    local first = bucket_of(prefix_of(text, x * 12), width, unsplit)
    local group = groups[first]
    if not group then
      group = {}
      groups[first] = group
      firsts[#firsts + 1] = first
    end
    group[#group + 1] = ids[x]
  end
  local base = base_of(tag, filling, of)
  -- Ids are counted when they come to wait.
  for _, first in ipairs(firsts) do c[slot] = c[slot] - put(base .. first, groups[first]) end
  redis.call('UNLINK', tray)
  return waited
end

if count > 0 then
  if n[slot] == 0 then
    -- As large as half of the one before: what is missing is split off, and a bucket of few ids
    -- costs more than it holds.
    local last = n[(generation - 1) % 3]
    n[slot] = math.max(256, math.floor(last / 2))
    forms[slot] = n[slot] < 4096 and 1 or n[slot] < 65536 and 2 or 3
  end
  local wanted = math.min(SPACE, math.ceil((c[slot] + count) / target), n[slot] + 32)
  while n[slot] < wanted do
    split(base, n[slot], WIDTH[forms[slot]], forms[slot] < 3 and 11 or 10)
    n[slot] = n[slot] + 1
  end
  local m = trays_in(w[slot], trays)
  if m == 0 then m = math.floor(n[slot] / share) end
  local more = math.min(math.floor(n[slot] / share), m + 4)
  while m < more do
    split(trays_base, m, 12, 12)
    m = m + 1
  end
  w[slot] = trays .. '=' .. m .. ';'

  local size = share * 12 * math.min(waiting, math.ceil((c[slot] + count) / n[slot] / 13))
  local full, i = {}, 1
  local width, unsplit = geometry(m)
  while i <= count do
    local first, range = bucket_of(prefix_of(blob, i * 12), width, unsplit)
    -- Ids come in the order of these bits: the first of the next tray is looked for by halving.
    local j, past = i, count + 1
    while past - j > 1 do
      local middle = (j + past - (j + past) % 2) / 2
      if prefix_of(blob, middle * 12) < first + range then j = middle else past = middle end
    end
    local tray = trays_base .. first
    -- An id that is marked again, which is rare, counts twice until its tray is emptied; but not
    -- where few ids are marked, since then a look at the tray adds little to what they cost.
    local new = large and sub(blob, i * 12 - 11, j * 12) or fresh(tray, i, j)
    if #new > 0 and redis.call('APPEND', tray, new) >= size then full[#full + 1] = first end
    c[slot] = c[slot] + #new / 12
    i = past
  end

  -- Some at a time, since trays that began together are full together: a full one that was left is
  -- emptied when ids come to it again. First those of generations that take no more ids.
  local left = 2 * count
  for old = generation - 1, generation - 2, -1 do
    local closed = trays_of(filling, old)
    local m = trays_in(w[old % 3], closed)
    while m > 0 and left > 0 do
      m = m - 1
      left = left - emptied(old, (placed(m)))
    end
    w[old % 3] = m > 0 and closed .. '=' .. m .. ';' or ''
  end
  for at = 1, #full do
    if left <= 0 then break end
    left = left - emptied(generation, full[at])
  end
end

redis.call('HSET', tag, 'synced', last and till or start, 'open', last and '' or till .. ':' .. step,
  'half', half .. LAYOUT, 'newest', generation, 'evicted', evicted, 'garbage', garbage,
  'n0', n[0], 'n1', n[1], 'n2', n[2], 'c0', c[0], 'c1', c[1], 'c2', c[2],
  'f0', forms[0], 'f1', forms[1], 'f2', forms[2],
  'w0', w[0], 'w1', w[1], 'w2', w[2], 'told', (tonumber(s[18] or 0)) + 1)
-- Sieves hear of it within a moment, so little is kept: a few steps, fewer where they are large.
local recent = tag .. ':recent'
local head = table.concat({start, till, ARGV[7], ARGV[8], generation}, ':')
redis.call('RPUSH', recent, head .. ';' .. ARGV[10])
redis.call('LTRIM', recent, large and -4 or -16, -1)
redis.call('PEXPIRE', recent, 2000)
return 1
