-- Comes before a script where the server has no PEXPIRETIME, or forbids it to the user: tells the same, by PTTL and TIME.
--
-- PTTL reckons from the server's clock, which TIME reads a moment earlier or later. If a millisecond began in between, their
-- sum would be one off, and a window must have one end whoever asks: a refund compares it. So TIME is read before and after,
-- and both once more where they differ. Ten times are enough for any server that runs at all; after that an end that is one
-- off costs a refund and nothing else.
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local now = milliseconds()

local function expiry(key)
  local left
  for _ = 1, 10 do
    local before = now
    left = redis.call('PTTL', key)
    if left < 0 then
      return left
    end
    now = milliseconds()
    if now == before then
      break
    end
  end
  return now + left
end

