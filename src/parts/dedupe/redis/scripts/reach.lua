-- Up to where ids go that are known, in one or several partitions. ARGV: a namespace for each tag
-- in KEYS. An open mark has ids up to its end, and no namespace has none.

local ends = {}
for i, namespace in ipairs(ARGV) do
  local s = redis.call('HMGET', KEYS[i], 'namespace', 'synced', 'open')
  local open = s[3] and tonumber(string.match(s[3], '^(%d+):')) or 0
  ends[i] = s[1] == namespace and string.format('%.0f', math.max(tonumber(s[2]), open)) or ''
end
return ends
