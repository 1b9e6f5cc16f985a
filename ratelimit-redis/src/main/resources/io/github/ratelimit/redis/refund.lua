-- Gives back permits to counters whose windows are open. No counter falls below zero, and no window starts or ends.
--
-- KEYS     the counters; on a Cluster all of one slot
-- ARGV     how many permits to give back to each
-- Returns  how many counters got something back

local cost = tonumber(ARGV[1])
local back = {}
for i = 1, #KEYS do
  -- All are read before one is written, so that a key that is no counter changes nothing.
  back[i] = math.min(tonumber(redis.call('GET', KEYS[i]) or 0), cost)
end
local given = 0
for i = 1, #KEYS do
  if back[i] > 0 then
    redis.call('DECRBY', KEYS[i], back[i])
    given = given + 1
  end
end
return given
