-- Decides runs of requests, one run after the other. Every request of a run takes a cost from each of the run's counters
-- or nothing at all, in order: those that are allowed come first.
--
-- KEYS     the counters of the first run, then those of the second, and so on; on a Cluster all of one slot
-- ARGV     a number that the reply returns; then groups of runs that differ in nothing but their counters, of each group:
--          how many runs it has, how many counters and how many requests each run has; then for each counter
--          the cost, the permits and the window in milliseconds
-- Returns  the number; the server's time in milliseconds, 0 if no window is open; then of each run: how many of its
--          requests are allowed, and of each of its counters what was used before the run and when the key expires
--          (0: no window is open; negative: the window was opened just now).
--          A run that failed is -1 and the error; it changed nothing.
--
-- A counter is a plain number, and its expiry is the end of its window: the common path is PEXPIRETIME and INCRBY, and
-- nothing but the server's clock decides. Numbers are exact to 2^53 - 1, the most that a limit permits.
--
-- No key is ever without an expiry, whichever command the server rejects: an expiry is read before its key is written, a
-- window is opened by one SET that has both the count and the length, and INCRBY only meets keys that expire. What was
-- added is taken back by the command that added it, so that it can be where adding was possible.
--
-- One loop without functions, and figures that go straight into the reply: functions and tables made anew for each run
-- would cost as much as its commands do.

local call, try, floor, max, min = redis.call, redis.pcall, math.floor, math.max, math.min
local reply, size = { ARGV[1] + 0, 0 }, 2
local cost, permits, window = {}, {}, {}
local keys, args, last = 0, 1, #ARGV
while args < last do
  local runs, counters, requests = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0
  args = args + 3

  -- How many of the requests fit where nothing is used. None does if they take nothing, or more than a limit permits.
  local fitting, takes = requests, false
  for i = 1, counters do
    cost[i], permits[i], window[i] = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0
    args = args + 3
    takes = takes or cost[i] > 0
    if cost[i] > 0 and fitting * cost[i] > permits[i] then
      fitting = floor(permits[i] / cost[i])
    end
  end
  local whole = fitting
  if not takes then
    fitting, whole = 0, requests
  end

  for _ = 1, runs do
    local most, allowed = fitting, whole
    reply[size + 1] = 0 -- filled from left to right, or it were no array

    -- Adds what all of them ask for to the windows that are open, and reads where none is or where nothing is asked for.
    local asked, fits, closed, failure = 0, true, false, nil
    for i = 1, counters do
      local key, amount = KEYS[keys + i], most * cost[i]
      local at = call('PEXPIRETIME', key)
      if at > 0 and reply[2] == 0 then
        reply[2] = at - call('PTTL', key) -- what TIME says, and cheaper
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
      fits = fits and (amount == 0 or used <= permits[i])
      reply[size + 2 * i] = used - amount
      reply[size + 2 * i + 1] = at
    end

    if most > 0 and (failure or not fits) then
      -- That is too much for a counter: takes it back from all of them, which tells exactly what was used before.
      for i = 1, asked do
        if cost[i] > 0 then
          if reply[size + 2 * i + 1] > 0 then
            reply[size + 2 * i] = call('INCRBY', KEYS[keys + i], -most * cost[i])
          end
          allowed = max(0, min(allowed, floor((permits[i] - reply[size + 2 * i]) / cost[i])))
        end
      end
      -- Adds what fits into every one.
      most = failure and 0 or allowed
      for i = 1, most > 0 and counters or 0 do
        if cost[i] > 0 and reply[size + 2 * i + 1] > 0 then
          call('INCRBY', KEYS[keys + i], most * cost[i])
        end
      end
    end

    if closed and not failure then
      -- Opens windows: where something is taken and none is open, and where somebody made a counter persist. A key is
      -- still there in the millisecond that it expires in, so the window's last one is the one before its end.
      for i = 1, counters do
        local key, at, amount = KEYS[keys + i], reply[size + 2 * i + 1], most * cost[i]
        if at == -1 or at == -2 and amount > 0 then
          local left = max(window[i] - 1, 1)
          failure = try('SET', key, reply[size + 2 * i] + amount, 'PX', left).err
          if failure then
            break
          end
          at = call('PEXPIRETIME', key)
          if reply[2] == 0 then
            reply[2] = at - left
          end
          reply[size + 2 * i + 1] = -at
        elseif at == -2 then
          reply[size + 2 * i + 1] = 0
        end
      end
      if failure then
        -- Takes it back from those before. A window that was opened goes again; it would end by itself if that is rejected.
        for i = 1, counters do
          local at, amount = reply[size + 2 * i + 1], most * cost[i]
          if amount > 0 and (at > 0 or at < -2) and try('INCRBY', KEYS[keys + i], -amount) == 0 and at < 0 then
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
    keys = keys + counters
  end
end
return reply
