-- Puts back what was set aside for a process and not used: into the windows from which it was
-- taken, and into no later ones.
--
-- KEYS: as in take.lua. ARGV: for each key how many, and the ends of the two windows.

for k = 1, #KEYS do
  local held = redis.call('GET', KEYS[k]) or ''
  local c1, e1, c2, e2, due = string.match(held, '^(%d+) (%d+) (%d+) (%d+)( ?%d*)$')
  local left = redis.call('PTTL', KEYS[k])
  if c1 ~= nil and left > 0 then
    local count = tonumber(ARGV[k * 3 - 2])
    c1, c2 = tonumber(c1), tonumber(c2)
    if e1 == ARGV[k * 3 - 1] then c1 = math.max(0, c1 - count) end
    if e2 == ARGV[k * 3] then c2 = math.max(0, c2 - count) end
    redis.call('SET', KEYS[k], string.format('%.0f %s %.0f %s%s', c1, e1, c2, e2, due), 'PX', left)
  end
end
return 0
