-- Some buckets of a generation, for who wants to know all of its ids. Follows buckets.lua.
--
-- KEYS[1]: the tag. ARGV: filling, generation, the number of the first bucket, how many of them.
-- Answers nil where the filling is another one; or up to where it is synced, how many buckets there
-- are (none where the generation is gone), their form, and these.
--
-- An id never leaves a bucket but for a later one, into which it is split. So the asker sees all
-- ids that were there when it began, who goes on until there are no more buckets; unless another
-- copy of the data answers meanwhile, which may have fewer buckets, or have lost ids.

local tag, generation, from = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local slot = generation % 3
local s = redis.call('HMGET', tag, 'filling', 'newest', 'n' .. slot, 'f' .. slot, 'synced')
if s[1] ~= ARGV[1] then return false end
local newest = tonumber(s[2]) or -1
if generation > newest or generation < newest - 2 then return {s[5], 0, 0} end
local n = tonumber(s[3])
local poured, base = {s[5], n, tonumber(s[4])}, base_of(tag, s[1], generation)
for i = from, math.min(n, from + ARGV[4]) - 1 do
  poured[#poured + 1] = redis.call('GET', base .. (placed(i))) or ''
end
return poured
