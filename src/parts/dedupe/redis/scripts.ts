import { redisScript } from '../../redis.ts'

// The hash of a partition, at its tag:
//
//   namespace, synced        as the port says
//   open                     '' or `end:step`: a mark in several steps has come so far
//   half                     half a window in µs: generations of another one cannot be told apart
//   newest                   the newest generation, into which ids go; '' before the first mark
//   filling                  a random name in the keys of this filling's buckets
//   evicted                  what the servers had evicted when it was last written
//   n0 n1 n2, c0 c1 c2       buckets and ids of the live generations, by generation modulo 3
//   f0 f1 f2                 how their ids are kept: their form
//   garbage                  `filling:generation=buckets;…` that are still to be unlinked
//
// A bucket is a string at TAG:filling:generation:first: all ids whose first 20 bits lie from there
// to the next one's. There may be any number of them: number i, from 2^k to below 2^(k+1), is the
// upper half of bucket i − 2^k. An id has 12 bytes, the least significant first. A bucket says the
// leading one, or two where a generation began with 65 536. Few events need fewer bits (README):
//
//   form  began with buckets  bytes kept  bits compared
//   1     fewer than 4 096    3 to 11     80
//   2     fewer than 65 536   2 to 11     88
//   3     more                1 to 10     96
//
// In a cluster one more of KEYS never exists. While a cluster moves the slot, a script that names a
// key that is not there is refused as a whole (TRYAGAIN): else it would take buckets that have not
// arrived for empty, or leave some behind.
const head = `
local SPACE = 1048576

-- The width of the k-th level that bucket number i belongs to, and the first of i.
local function placed(i)
  if i == 0 then return 0, SPACE end
  local width, low = SPACE, 1
  while low * 2 <= i do low = low * 2; width = width / 2 end
  return (i - low) * width + width / 2, width / 2
end

-- For n buckets: the width of the unsplit ones, and where they begin.
local function geometry(n)
  local width, low = SPACE, 1
  while low * 2 <= n do low = low * 2; width = width / 2 end
  return width, (n - low) * width
end

-- The first 20 bits of ids from + 1 to from + count of those in blob.
local function unpacked(blob, from, count)
  local prefixes = {}
  local at = from * 12 + 10
  for i = 1, count do
    local c, b, a = string.byte(blob, at, at + 2)
    prefixes[i] = a * 4096 + b * 16 + math.floor(c / 16)
    at = at + 12
  end
  prefixes[count + 1] = SPACE
  return prefixes
end

local WIDTH = {9, 10, 10}

-- The same ids in a form.
local function kept(blob, from, count, form)
  local ids, sub, past = {}, string.sub, WIDTH[form] - 1
  local at = from * 12 + 4 - form
  for i = 1, count do
    ids[i] = sub(blob, at, at + past)
    at = at + 12
  end
  return ids
end

local function holds(bucket, id)
  local width = #id
  local at = string.find(bucket, id, 1, true)
  while at and at % width ~= 1 do at = string.find(bucket, id, at + 1, true) end
  return at
end

-- Calls visit(first, i, j) for each bucket of n that ids i to j fall into.
local function each_bucket(n, count, prefixes, visit)
  local width, split = geometry(n)
  local half = width / 2
  local i = 1
  while i <= count do
    local prefix = prefixes[i]
    local size = prefix < split and half or width
    local first = prefix - prefix % size
    local j, past = i, first + size
    while prefixes[j + 1] < past do j = j + 1 end
    visit(first, i, j)
    i = j + 1
  end
end

local function base_of(tag, filling, generation)
  return tag .. ':' .. filling .. ':' .. string.format('%x', generation) .. ':'
end
`

/**
 * Which ids are known, in one or several partitions.
 *
 * ARGV: half and evicted ('' asks no condition), the number of questions, the ids of all of them;
 * then for each, with its tag in KEYS: namespace, start, how many of the ids. Answers two bytes a
 * known id, its place; then for each question 1, nil (no such namespace), or an array: stale, from
 * where it is synced or nil.
 */
export const lookScript = redisScript(`${head}
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
`)

// Writes begin with UNLINK where there is something to unlink. Redis refuses a script that is short
// of memory at its first command that could need some, before anything is done; a script that has
// begun to free runs to its end.
const tidying = `
-- Unlinks up to 600 buckets of what is garbage, and answers what is left of it.
local function swept(tag, garbage)
  local keys = {}
  while garbage ~= '' and #keys < 600 do
    local base, n, rest = string.match(garbage, '^([^=]*)=(%d+);(.*)$')
    n = tonumber(n)
    local left = math.max(0, n - (600 - #keys))
    for i = n - 1, left, -1 do keys[#keys + 1] = tag .. ':' .. base .. ':' .. (placed(i)) end
    garbage = left == 0 and rest or base .. '=' .. left .. ';' .. rest
  end
  redis.call('UNLINK', unpack(keys))
  return garbage
end

local function entry(filling, generation, n)
  return filling .. ':' .. string.format('%x', generation) .. '=' .. n .. ';'
end
`

/**
 * One step of a mark: adds ids and, with the last step, moves `synced`.
 *
 * KEYS[1]: the tag. ARGV: namespace, start, end, half, evicted, generation, step (from 1), last (1
 * or 0), ids. Answers 1, or 0 where it did nothing.
 */
export const markScript = redisScript(`${head}${tidying}
-- Ids a bucket on average; the widest hold some twice as many.
local target = 320
local tag, start, till, half = KEYS[1], ARGV[2], ARGV[3], ARGV[4]
local evicted, generation = tonumber(ARGV[5]), tonumber(ARGV[6])
local step, last, blob = tonumber(ARGV[7]), ARGV[8] == '1', ARGV[9]
local s = redis.call('HMGET', tag, 'namespace', 'synced', 'open', 'half', 'newest', 'filling',
  'evicted', 'garbage', 'n0', 'n1', 'n2', 'c0', 'c1', 'c2', 'f0', 'f1', 'f2')
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
  'f0', forms[0], 'f1', forms[1], 'f2', forms[2])
return 1
`)

/** ARGV: namespace, from, half, evicted, filling. What was there before becomes garbage. */
export const resetScript = redisScript(`${head}${tidying}
local tag = KEYS[1]
local s = redis.call('HMGET', tag, 'newest', 'filling', 'garbage', 'n0', 'n1', 'n2')
local garbage, newest = s[3] or '', tonumber(s[1] or '')
if newest then
  for generation = newest - 2, newest do
    local n = tonumber(s[4 + generation % 3])
    if n > 0 then garbage = garbage .. entry(s[2], generation, n) end
  end
end
if garbage ~= '' then garbage = swept(tag, garbage) end
redis.call('HSET', tag, 'namespace', ARGV[1], 'synced', ARGV[2], 'open', '', 'half', ARGV[3],
  'newest', '', 'evicted', ARGV[4], 'filling', ARGV[5], 'garbage', garbage,
  'n0', 0, 'n1', 0, 'n2', 0, 'c0', 0, 'c1', 0, 'c2', 0, 'f0', 0, 'f1', 0, 'f2', 0)
return 1
`)
