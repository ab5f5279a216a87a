-- How many ids are held in the partition of KEYS[1], a tag.

local s = redis.call('HMGET', KEYS[1], 'c0', 'c1', 'c2')
return (tonumber(s[1] or 0)) + (tonumber(s[2] or 0)) + (tonumber(s[3] or 0))
