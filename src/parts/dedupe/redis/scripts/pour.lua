-- Some buckets or trays of a generation, for who wants to know all of its ids. Follows buckets.lua.
--
-- KEYS[1]: the tag. ARGV: filling, generation, `trays` or `buckets`, the number of the first, how
-- many of them. Answers nil where the filling is another one; or up to where it is synced, how many
-- there are (none where the generation is gone), their form (0 of trays), and these.
--
-- An id never leaves a tray or bucket but for a later one, and a tray for a bucket. So the asker
-- sees all ids that were there when it began, who reads the trays and then the buckets, each until
-- there are no more; unless another copy of the data answers meanwhile, which may have fewer of
-- them, or have lost ids.

local tag, generation, from = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local slot = generation % 3
local s = redis.call('HMGET', tag, 'filling', 'newest', 'n' .. slot, 'f' .. slot, 'w' .. slot,
  'synced')
if s[1] ~= ARGV[1] then return false end
local newest = tonumber(s[2]) or -1
if generation > newest or generation < newest - 2 then return {s[6], 0, 0} end
local n, form, base = tonumber(s[3]), tonumber(s[4]), base_of(tag, s[1], generation)
if ARGV[3] == 'trays' then
  local trays = trays_of(s[1], generation)
  n, form, base = trays_in(s[5], trays), 0, tag .. ':' .. trays .. ':'
end
local poured = {s[6], n, form}
for i = from, math.min(n, from + ARGV[5]) - 1 do
  poured[#poured + 1] = redis.call('GET', base .. (placed(i))) or ''
end
return poured
