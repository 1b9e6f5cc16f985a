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
-- A counter is a plain number, and its expiry is the end of its window: the common path is INCRBY and PEXPIRETIME, and
-- nothing but the server's clock decides. Numbers are exact to 2^53 - 1, the most that a limit permits.
--
-- One loop without functions, and figures that go straight into the reply: functions and tables made anew for each call
-- would cost as much as its commands do. ARGV's texts become numbers where they are reckoned with; + 0 does nothing else.

local call, try, floor, max = redis.call, redis.pcall, math.floor, math.max
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

  local allowed, failure = most, nil
  if most > 0 then
    -- Adds what all of them ask for.
    local amount, added, fits = most * cost, 0, true
    for i = 1, counters do
      local key = KEYS[keys + i]
      local used = try('INCRBY', key, amount)
      if type(used) == 'table' then
        failure = used.err
        break
      end
      added = i
      fits = fits and used <= ARGV[args + 2 * i - 1] + 0
      reply[size + 2 * i] = used - amount
      reply[size + 2 * i + 1] = call('PEXPIRETIME', key)
    end
    if failure or not fits then
      -- That is too much for a counter: takes it back from all of them, which tells exactly what was used before, and leaves no
      -- counter behind that was not there.
      for i = 1, added do
        local key = KEYS[keys + i]
        local used = call('DECRBY', key, amount)
        if used == 0 and reply[size + 2 * i + 1] == -1 then
          call('DEL', key)
          reply[size + 2 * i + 1] = -2
        end
        reply[size + 2 * i] = used
        allowed = max(0, math.min(allowed, floor((ARGV[args + 2 * i - 1] - used) / cost)))
      end
      -- Adds what fits into every one.
      if allowed > 0 and not failure then
        for i = 1, counters do
          call('INCRBY', KEYS[keys + i], allowed * cost)
          reply[size + 2 * i + 1] = call('PEXPIRETIME', KEYS[keys + i])
        end
      end
    end
  else
    -- Reads, and takes nothing. Requests that ask for nothing always fit, also where a limit was lowered below what is used.
    allowed = cost == 0 and requests or 0
    for i = 1, counters do
      local value = try('GET', KEYS[keys + i])
      local used = tonumber(type(value) ~= 'table' and (value or 0))
      if not used then
        failure = type(value) == 'table' and value.err or 'ERR a counter holds no number'
        break
      end
      reply[size + 2 * i] = used
      reply[size + 2 * i + 1] = call('PEXPIRETIME', KEYS[keys + i])
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
    for i = 1, counters do
      local at = reply[size + 2 * i + 1]
      if at == -1 then
        -- No expiry: the counter was made just now, or somebody made it persist. A key is still there in the millisecond that it
        -- expires in, so the window's last one is the one before its end.
        call('PEXPIRE', KEYS[keys + i], max(ARGV[args + 2 * i] - 1, 1))
        at = -call('PEXPIRETIME', KEYS[keys + i])
      elseif at == -2 then
        at = 0
      elseif reply[1] == 0 then
        reply[1] = at - call('PTTL', KEYS[keys + i]) -- what TIME says, and cheaper
      end
      reply[size + 2 * i + 1] = at
    end
    size = size + 1 + 2 * counters
  end
  keys, args = keys + counters, args + 2 * counters
end
if reply[1] == 0 then
  local time = call('TIME')
  reply[1] = time[1] * 1000 + floor(time[2] / 1000)
end
return reply
