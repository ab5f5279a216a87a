-- How far partitions are marked, and what was marked since the asker has heard of them.
--
-- KEYS: tags. ARGV: for each a namespace, and how many steps the asker has heard of. Answers for
-- each nil, where it holds another namespace; or filling, newest, synced, open, told, how many ids
-- are held, then the steps that came since, as mark.lua tells them, as far as they are still there.

local news = {}
for i = 1, #ARGV / 2 do
  local tag = KEYS[i]
  local s = redis.call('HMGET', tag, 'namespace', 'filling', 'newest', 'synced', 'open', 'told',
    'c0', 'c1', 'c2')
  news[i] = false
  if s[1] == ARGV[i * 2 - 1] then
    local told, heard = tonumber(s[6] or 0), tonumber(ARGV[i * 2])
    local count = string.format('%.0f', s[7] + s[8] + s[9])
    local own = {s[2], s[3], s[4], s[5], string.format('%.0f', told), count}
    if told > heard then
      for _, step in ipairs(redis.call('LRANGE', tag .. ':recent', heard - told, -1)) do
        own[#own + 1] = step
      end
    end
    news[i] = own
  end
end
return news
