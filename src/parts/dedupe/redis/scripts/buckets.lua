-- The hash of a partition, at its tag:
--
--   namespace, synced        as the port says
--   open                     '' or `end:step`: a mark in several steps has come so far
--   half                     half a window in µs: generations of another one cannot be told apart;
--                            with `:trays` behind it, lest a release that knows no trays asks here
--   newest                   the newest generation, into which ids go; '' before the first mark
--   filling                  a random name in the keys of this filling's buckets
--   evicted                  what the servers had evicted when it was last written
--   n0 n1 n2, c0 c1 c2       buckets and ids of the live generations, by generation modulo 3
--   f0 f1 f2                 how their ids are kept: their form
--   w0 w1 w2                 their trays, as garbage names them; '' or absent: there are none
--   garbage                  `filling:generation=buckets;…` that are still to be unlinked
--   told                     how many steps of marks sieves were told of; TAG:recent has the last
--
-- A bucket is a string at TAG:filling:generation:first: all ids whose first 20 bits lie from there
-- to the next one's. There may be any number of them: number i, from 2^k to below 2^(k+1), is the
-- upper half of bucket i − 2^k. An id has 12 bytes, the least significant first. A bucket says the
-- leading one, or two where a generation began with 65 536. Few events need fewer bits (README):
--
--   form  began with buckets  bytes kept  bits compared
--   1     fewer than 4 096    3 to 11     80
--   2     fewer than 65 536   2 to 11     88
--   3     more                1 to 10     96
--
-- New ids wait in a tray, at TAG:filling:generation:tray:first, with all of their 12 bytes, until
-- there are enough for the buckets of its range: to put one into a bucket costs no less than a
-- dozen. Trays are numbered and split as buckets are. As many of their bits are compared.
--
-- In a cluster one more of KEYS never exists. While a cluster moves the slot, a script that names a
-- key that is not there is refused as a whole (TRYAGAIN): else it would take buckets that have not
-- arrived for empty, or leave some behind.

local SPACE = 1048576
local byte, sub, find = string.byte, string.sub, string.find

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

-- Where the bucket of a prefix begins, and its range.
local function bucket_of(prefix, width, unsplit)
  local range = prefix < unsplit and width / 2 or width
  return prefix - prefix % range, range
end

-- The first 20 bits of the id of which a text's byte `last` is the last.
local function prefix_of(text, last)
  local c, b, a = byte(text, last - 2, last)
  return a * 4096 + b * 16 + (c - c % 16) / 16
end

-- The same of ids from + 1 to from + count of those in blob.
local function unpacked(blob, from, count)
  local prefixes = {}
  for i = 1, count do prefixes[i] = prefix_of(blob, (from + i) * 12) end
  prefixes[count + 1] = SPACE
  return prefixes
end

local WIDTH = {9, 10, 10}

-- The same ids, of each so many bytes from that of the form on.
local function cut(blob, from, count, form, width)
  local ids, past = {}, width - 1
  local at = from * 12 + 4 - form
  for i = 1, count do
    ids[i] = sub(blob, at, at + past)
    at = at + 12
  end
  return ids
end

-- The same ids as a bucket keeps them.
local function kept(blob, from, count, form) return cut(blob, from, count, form, WIDTH[form]) end

-- The same ids as they are compared in a tray, which says less of them than a bucket.
local function sought(blob, from, count, form) return cut(blob, from, count, form, 9 + form) end

local function found_at(text, id, width, place)
  local at = find(text, id, 1, true)
  while at and at % width ~= place do at = find(text, id, at + 1, true) end
  return at
end

local function holds(bucket, id) return found_at(bucket, id, #id, 1) end

local function awaits(tray, id) return found_at(tray, id, 12, 13 - #id) end

-- Calls visit(first, i, j) for each bucket of n that ids i to j fall into.
local function each_bucket(n, count, prefixes, visit)
  local width, unsplit = geometry(n)
  local i = 1
  while i <= count do
    local first, range = bucket_of(prefixes[i], width, unsplit)
    local j, past = i, first + range
    while prefixes[j + 1] < past do j = j + 1 end
    visit(first, i, j)
    i = j + 1
  end
end

local function base_of(tag, filling, generation)
  return tag .. ':' .. filling .. ':' .. string.format('%x', generation) .. ':'
end

-- Where the trays of a generation are, without the tag, and how many there are by what w0, w1 or w2
-- says: those of another filling are not of this one.
local function trays_of(filling, generation)
  return filling .. ':' .. string.format('%x', generation) .. ':tray'
end

local function trays_in(said, trays)
  if not said or sub(said, 1, #trays + 1) ~= trays .. '=' then return 0 end
  return tonumber(sub(said, #trays + 2, -2))
end

-- What `half` says of the layout, and `half` without it.
local LAYOUT = ':trays'
local function half_of(said) return said and string.match(said, '^%d+') end
