-- Begins a namespace; what was there before becomes garbage, and what was told of it is gone.
-- Follows buckets.lua and garbage.lua.
--
-- KEYS[1]: the tag. ARGV: namespace, from, half, evicted, filling.

local tag = KEYS[1]
local s = redis.call('HMGET', tag, 'newest', 'filling', 'garbage', 'n0', 'n1', 'n2',
  'w0', 'w1', 'w2')
local garbage, newest = s[3] or '', tonumber(s[1] or '')
if newest then
  for generation = newest - 2, newest do
    local n = tonumber(s[4 + generation % 3])
    if n > 0 then garbage = garbage .. entry(s[2], generation, n) end
  end
end
garbage = garbage .. (s[7] or '') .. (s[8] or '') .. (s[9] or '')
redis.call('UNLINK', tag .. ':recent')
if garbage ~= '' then garbage = swept(tag, garbage) end
redis.call('HSET', tag, 'namespace', ARGV[1], 'synced', ARGV[2], 'open', '',
  'half', ARGV[3] .. LAYOUT, 'newest', '', 'evicted', ARGV[4], 'filling', ARGV[5], 'garbage', garbage,
  'n0', 0, 'n1', 0, 'n2', 0, 'c0', 0, 'c1', 0, 'c2', 0, 'f0', 0, 'f1', 0, 'f2', 0,
  'w0', '', 'w1', '', 'w2', '')
return 1
