-- Gives back permits to counters whose windows are still those that the permits were taken from. No counter falls below
-- zero, and no window is made longer or shorter.
--
-- KEYS     the counters; on a Cluster all of one slot
-- ARGV     how many permits to give back to each; then for each counter when its key expires if the window is still that
--          one; negative: a refused decision opened the window, which goes when nothing is used in it any more
-- Returns  how many counters got something back

local call = redis.call
local cost = ARGV[1] + 0
local back = {}
for i = 1, #KEYS do
  -- All are read before one is written, so that a key that is no counter changes nothing.
  back[i] = 0
  if call('PEXPIRETIME', KEYS[i]) == math.abs(ARGV[1 + i]) then
    back[i] = math.min(call('GET', KEYS[i]), cost)
  end
end
local given = 0
for i = 1, #KEYS do
  if back[i] > 0 then
    -- Never a key without an expiry: this one was read above, and no key goes while a script runs. A window that cannot be
    -- deleted is given back to all the same, and ends by itself.
    if call('INCRBY', KEYS[i], -back[i]) == 0 and ARGV[1 + i] + 0 < 0 then
      redis.pcall('DEL', KEYS[i])
    end
    given = given + 1
  end
end
return given
