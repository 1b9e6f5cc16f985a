-- Decides runs of requests, one run after the other. Every request of a run takes the run's cost from all of the run's
-- counters or from none, in order: those that are allowed come first.
--
-- KEYS     the counters of the first run, then those of the second, and so on; on a Cluster all of one slot
-- ARGV     of each run: how many counters it has, how many requests, and the cost of each request;
--          then for each of its counters the permits and the window in milliseconds
-- Returns  the server's time in milliseconds; then of each run: how many of its requests are allowed, and of each of its
--          counters what was used before the run and when the key expires (0: no window is open).
--          A run that failed is -1 and the error; it changed nothing.
--
-- A counter is a plain number, and its expiry is the end of its window: the common path is INCRBY and PEXPIRETIME, and
-- nothing but the server's clock decides. Numbers are exact to 2^53 - 1, the most that a limit permits.

-- When the key expires. One without an expiry gets it here: it was made just now, or somebody made it persist.
local function expiry(key, window)
  local at = redis.call('PEXPIRETIME', key)
  if at == -1 then
    -- A key is still there in the millisecond that it expires in, so the window's last one is the one before its end.
    redis.call('PEXPIRE', key, math.max(window - 1, 1))
    at = redis.call('PEXPIRETIME', key)
  end
  return at
end

-- Takes back what was added, and leaves no counter behind that was not there.
local function undo(key, amount)
  local used = redis.call('DECRBY', key, amount)
  if used == 0 and redis.call('PEXPIRETIME', key) == -1 then
    redis.call('DEL', key)
  end
  return used
end

-- Reads the counters of a run that takes nothing: one of cost 0, or one whose cost no window has room for.
local function look(run)
  local fits = run.cost == 0
  for i = 1, run.counters do
    local value = redis.pcall('GET', run.key[i])
    if type(value) == 'table' then
      return nil, value.err
    end
    run.used[i], run.expiry[i] = 0, 0
    if value then
      run.used[i] = tonumber(value)
      if not run.used[i] then
        return nil, 'ERR a counter holds no number'
      end
      run.expiry[i] = expiry(run.key[i], run.window[i])
    end
    fits = fits and run.used[i] <= run.permits[i]
  end
  return fits and run.requests or 0
end

-- Adds what all requests of a run ask for. If that is too much for a counter, takes it back from all of them, which tells
-- exactly what was used before, and adds what fits into every one.
local function take(run, most)
  local amount = most * run.cost
  local fits = true
  for i = 1, run.counters do
    local used = redis.pcall('INCRBY', run.key[i], amount)
    if type(used) == 'table' then
      for j = 1, i - 1 do
        undo(run.key[j], amount)
      end
      return nil, used.err
    end
    run.used[i] = used - amount
    fits = fits and used <= run.permits[i]
  end
  local allowed = most
  if not fits then
    for i = 1, run.counters do
      run.used[i] = undo(run.key[i], amount)
      local room = math.max(run.permits[i] - run.used[i], 0)
      allowed = math.min(allowed, math.floor(room / run.cost))
    end
    if allowed > 0 then
      for i = 1, run.counters do
        redis.call('INCRBY', run.key[i], allowed * run.cost)
      end
    end
  end
  for i = 1, run.counters do
    run.expiry[i] = math.max(expiry(run.key[i], run.window[i]), 0)
  end
  return allowed
end

local function decide(run)
  if run.cost == 0 then
    return look(run)
  end
  local most = run.requests
  for i = 1, run.counters do
    most = math.min(most, math.floor(run.permits[i] / run.cost))
  end
  if most == 0 then
    return look(run)
  end
  return take(run, most)
end

local time = redis.call('TIME')
local reply = { time[1] * 1000 + math.floor(time[2] / 1000) }
local keys, args = 0, 0
while args < #ARGV do
  local run = {
    counters = tonumber(ARGV[args + 1]),
    requests = tonumber(ARGV[args + 2]),
    cost = tonumber(ARGV[args + 3]),
    key = {}, permits = {}, window = {}, used = {}, expiry = {}
  }
  args = args + 3
  for i = 1, run.counters do
    run.key[i] = KEYS[keys + i]
    run.permits[i] = tonumber(ARGV[args + 2 * i - 1])
    run.window[i] = tonumber(ARGV[args + 2 * i])
  end
  keys = keys + run.counters
  args = args + 2 * run.counters

  local allowed, failure = decide(run)
  reply[#reply + 1] = allowed or -1
  if allowed then
    for i = 1, run.counters do
      reply[#reply + 1] = run.used[i]
      reply[#reply + 1] = run.expiry[i]
    end
  else
    reply[#reply + 1] = failure
  end
end
return reply
