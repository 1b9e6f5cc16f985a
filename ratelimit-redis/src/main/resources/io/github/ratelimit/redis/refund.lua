-- Gives back permits to counters whose windows are still those that the permits were taken from, or resets counters. No
-- counter falls below zero, and no window is made longer or shorter.
--
-- KEYS     the counters; on a Cluster all of one slot
-- ARGV     a number that the reply returns; then for each counter the permits to give back, and when its key expires if the
--          window is still that one (0: resets the counter, whichever window is open; negative: a rejected decision opened the
--          window, which goes when nothing is used in it any more)
-- Returns  the number

local call = redis.call
local back = {}
for i = 1, #KEYS do
  -- All are read before one is written, so that a key that is no counter changes nothing.
  local permits, window = ARGV[2 * i] + 0, ARGV[2 * i + 1] + 0
  back[i] = 0
  if window ~= 0 and call('PEXPIRETIME', KEYS[i]) == math.abs(window) then
    back[i] = math.min(call('GET', KEYS[i]), permits)
  end
end
for i = 1, #KEYS do
  local window = ARGV[2 * i + 1] + 0
  if window == 0 then
    call('DEL', KEYS[i])
  elseif back[i] > 0 then
    -- Never a key without an expiry: this one was read above, and no key goes while a script runs. A window that cannot be
    -- deleted is given back to all the same, and ends by itself.
    if call('INCRBY', KEYS[i], -back[i]) == 0 and window < 0 then
      redis.pcall('DEL', KEYS[i])
    end
  end
end
return { ARGV[1] + 0 }
