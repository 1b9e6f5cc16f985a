-- Decides runs of requests, one run after the other. Every request of a run takes the run's cost from all of the run's
-- counters or from none, in order: those that are allowed come first.
--
-- KEYS     the counters of the first run, then those of the second, and so on; on a Cluster all of one slot
-- ARGV     of each run: how many counters it has, how many requests, and the cost of each request;
--          then for each of its counters the permits and the window in milliseconds
-- Returns  the server's time in milliseconds; then of each run: how many of its requests are allowed, and of each of its
--          counters what was used before the run and when the key expires (0: no window is open; negative: the window
--          was opened just now).
--          A run that failed is -1 and the error; it changed nothing.
--
-- A counter is a plain number, and its expiry is the end of its window: the common path is PEXPIRETIME and INCRBY, and
-- nothing but the server's clock decides. Numbers are exact to 2^53 - 1, the most that a limit permits.
--
-- No key is ever without an expiry, whichever command the server refuses: an expiry is read before its key is written, a
-- window is opened by one SET that has both the count and the end, and INCRBY only meets keys that expire. What was added is
-- taken back by the command that added it, so that it can be where adding was possible.
--
-- One loop without functions, and figures that go straight into the reply: functions and tables made anew for each call
-- would cost as much as its commands do. ARGV's texts become numbers where they are reckoned with; + 0 does nothing else.

local call, try, floor, max, min = redis.call, redis.pcall, math.floor, math.max, math.min
local reply, size = { 0 }, 1
local keys, args, last = 0, 0, #ARGV
while args < last do
  local counters, requests, cost = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0
  args = args + 3
  reply[size + 1] = 0 -- filled from left to right, or it were no array

  -- How many of the requests fit where nothing is used. None does if they take nothing, or more than a limit permits.
  local most = cost == 0 and 0 or requests
  for i = 1, counters do
    if most > 0 and most * cost > ARGV[args + 2 * i - 1] + 0 then
      most = floor(ARGV[args + 2 * i - 1] / cost)
    end
  end

  -- Adds what all of them ask for to the windows that are open, and reads where none is or where nothing is asked for.
  local amount, asked, fits, closed, failure = most * cost, 0, true, false, nil
  for i = 1, counters do
    local key = KEYS[keys + i]
    local at = call('PEXPIRETIME', key)
    if reply[1] == 0 then
      -- The moment of all decisions of this call: before anything is written, so that not being told the time changes nothing.
      if at > 0 then
        reply[1] = at - call('PTTL', key) -- what TIME says, and cheaper
      else
        local time = call('TIME')
        reply[1] = time[1] * 1000 + floor(time[2] / 1000)
      end
    end
    local used = amount
    if at > 0 and amount > 0 then
      used = try('INCRBY', key, amount)
    else
      closed = closed or at < 0
      if at ~= -2 then
        used = try('GET', key)
        if type(used) == 'string' then
          used = tonumber(used) and used + amount or { err = 'ERR a counter holds no number' }
        end
      end
    end
    if type(used) == 'table' then
      failure = used.err
      break
    end
    asked = i
    fits = fits and used <= ARGV[args + 2 * i - 1] + 0
    reply[size + 2 * i] = used - amount
    reply[size + 2 * i + 1] = at
  end

  local allowed = cost == 0 and requests or most
  if amount > 0 and (failure or not fits) then
    -- That is too much for a counter: takes it back from all of them, which tells exactly what was used before.
    for i = 1, asked do
      if reply[size + 2 * i + 1] > 0 then
        reply[size + 2 * i] = call('INCRBY', KEYS[keys + i], -amount)
      end
      allowed = max(0, min(allowed, floor((ARGV[args + 2 * i - 1] - reply[size + 2 * i]) / cost)))
    end
    -- Adds what fits into every one.
    amount = failure and 0 or allowed * cost
    for i = 1, amount > 0 and counters or 0 do
      if reply[size + 2 * i + 1] > 0 then
        call('INCRBY', KEYS[keys + i], amount)
      end
    end
  end

  if closed and not failure then
    -- Opens windows: where something is taken and none is open, and where somebody made a counter persist. A key is still there
    -- in the millisecond that it expires in, so the window's last one is the one before its end.
    for i = 1, counters do
      local at = reply[size + 2 * i + 1]
      if at == -1 or at == -2 and amount > 0 then
        at = reply[1] + max(ARGV[args + 2 * i] - 1, 1)
        failure = try('SET', KEYS[keys + i], reply[size + 2 * i] + amount, 'PXAT', at).err
        if failure then
          break
        end
        reply[size + 2 * i + 1] = -at
      elseif at == -2 then
        reply[size + 2 * i + 1] = 0
      end
    end
    if failure then
      -- Takes it back from those before. A window that was opened goes again; it would end by itself if that is refused.
      for i = 1, amount > 0 and counters or 0 do
        local at = reply[size + 2 * i + 1]
        if (at > 0 or at < -2) and try('INCRBY', KEYS[keys + i], -amount) == 0 and at < 0 then
          try('DEL', KEYS[keys + i])
        end
      end
    end
  end

  if failure then
    reply[size + 1], reply[size + 2] = -1, failure
    for i = size + 3, size + 1 + 2 * counters do
      reply[i] = nil
    end
    size = size + 2
  else
    reply[size + 1] = allowed
    size = size + 1 + 2 * counters
  end
  keys, args = keys + counters, args + 2 * counters
end
return reply
