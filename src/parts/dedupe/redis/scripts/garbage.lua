-- Unlinking what generations and fillings that are gone have left.
--
-- Writes begin with UNLINK where there is something to unlink. Redis refuses a script that is short
-- of memory at its first command that could need some, before anything is done; a script that has
-- begun to free runs to its end.

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
