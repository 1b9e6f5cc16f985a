-- Decides, looks at or settles requests one after the other, where a limit has another shape than the fixed window, or more
-- is taken than a decision took. The arithmetic is that of the in-process store; here in milliseconds.
--
-- KEYS     the counters of the first request, then those of the second, and so on; on a Cluster all of one slot
-- ARGV     a number that the reply returns; then groups of requests that differ in nothing but their counters, of each group:
--          how many requests it has, how many counters each has, and what is done (1: decided, all or nothing; 2: rejected,
--          whether it fits or not; 0: settled, each counter by itself); then for each counter the cost (negative: to give back), the permits, the
--          window in milliseconds, the kind of the shape, two figures of it (the burst; the block; the next two ends of the
--          calendar; when the decision was), and to give back, from which window (as in refund.lua)
-- Returns  the number; the server's time in milliseconds; then of each request: 1 if it is allowed, else 0, and of each of
--          its counters what was used before, when the key expires (0: there is none; negative: it was made just now), and
--          in how many milliseconds the cost fits. A request that failed is -1 and the error; it changed nothing.
--
-- Each counter is one string, which means something only together with its expiry. A plain number is what was used, and the
-- most that there is: blocked. A bucket is "rest:rate:age": until it is full, "rate" parts come back each millisecond,
-- and a permit has as many parts as the window has milliseconds; so long before that it was made. A decision at another rate
-- keeps what is missing and goes on at its own rate. A sliding window is four counts, the newest first, which leave
-- after four thirds of the window each.
--
-- All writes are SETs with an expiry: where the first is rejected nothing has changed, and the others are not rejected.

local call, try, floor, ceil, max, min = redis.call, redis.pcall, math.floor, math.ceil, math.max, math.min
local MOST, EMPTY, BUCKET, SLIDING, BLOCKING = 9007199254740991, '0:0:0:0', 1, 2, 3
local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local reply, keys, args = { ARGV[1] + 0, now }, 0, 1

-- Reads a counter's string; false if it is none of its kind.
local function parse(c, text)
  if c.kind == BUCKET then
    local rest, rate, age = string.match(text, '^(%d+):(%d+):(%d+)$')
    c.rest, c.rate, c.made = tonumber(rest), c.open and tonumber(rate) or c.permits, age and c.ends - age
    return age
  elseif c.kind == SLIDING then
    c.counts = { string.match(text, '^(%d+):(%d+):(%d+):(%d+)$') }
    return c.counts[4]
  end
  c.used = tonumber(text)
  return c.used
end

-- How much is used, and when the cost fits.
local function judge(c, decides)
  c.retry = c.ends - now
  if c.kind == BUCKET then
    c.lack = max(0, (c.ends - now) * c.rate - c.rest)
    if decides and c.rate ~= c.permits then
      c.lack, c.rate, c.changed = min(c.lack, 2 * c.first * c.window), c.permits, true
    end
    c.used = ceil(c.lack / c.window)
    c.retry = ceil((c.lack - (c.first - c.cost) * c.window) / c.rate)
  elseif c.kind == SLIDING then
    c.third = floor((c.window + 2) / 3)
    local begin = c.open and c.ends - 4 * c.third or now
    c.passed = max(0, floor((now - begin) / c.third))
    c.begin, c.used = begin + c.passed * c.third, 0
    for i = 1, 4 - c.passed do
      c.used = c.used + c.counts[i]
    end
    local left, thirds = c.used, 0
    repeat
      left = left - (c.counts[4 - thirds - c.passed] or 0)
      thirds = thirds + 1
    until thirds == 4 or c.permits - left >= c.cost
    c.retry = c.begin + thirds * c.third - now
  end
  c.fits = c.cost <= 0 or c.cost <= (c.kind == BUCKET and c.first or c.permits) - c.used
end

local function write(c, text, ends)
  local expiry = max(ends - 1, now + 1) -- a key is there until the end of the millisecond that it expires in
  local failure = try('SET', c.key, text, 'PXAT', expiry).err
  c.at = c.open and expiry or -expiry
  return failure
end

local function writeBucket(c)
  local wait = max(2, ceil(c.lack / c.rate))
  return write(c, string.format('%.0f:%.0f:%.0f', wait * c.rate - c.lack, c.rate, now + wait - c.made), now + wait)
end

local function take(c)
  if c.kind == BUCKET then
    local most = 2 * c.first * c.window -- a debt of one bucket at most
    c.lack = c.lack + min(c.cost, max(0, floor((most - c.lack) / c.window))) * c.window
    return writeBucket(c)
  elseif c.kind == SLIDING then
    local counts = { 0, 0, 0, 0 }
    for i = 1, 4 - c.passed do
      counts[i + c.passed] = c.counts[i]
    end
    counts[1] = min(counts[1] + c.cost, 65535)
    return write(c, table.concat(counts, ':'), c.begin + 4 * c.third)
  end
  if not c.open then
    c.ends = now + c.window
    if c.second > 0 then
      c.ends = c.first > now and c.first or c.second
    end
  end
  return write(c, min(c.used + c.cost, MOST), c.ends)
end

local function giveBack(c)
  local from, used = math.abs(c.from), c.used
  if c.kind == BUCKET then
    -- What has come back by time is not given back once more: permits come back in the order in which they were taken.
    -- A decision at another rate gives nothing back, because its end was that of its rate.
    local left = (c.second < c.made or c.rate ~= c.permits) and 0 or max(0, from + 1 - now)
    c.lack = max(0, c.lack - min(-c.cost * c.window, left * c.rate))
  elseif c.kind == SLIDING then
    local i = (c.at - from) / c.third + 1
    c.counts[i] = c.counts[i] and max(0, c.counts[i] + c.cost)
    used = table.concat(c.counts, ':')
    while used ~= EMPTY and c.counts[1] + 0 == 0 do -- it is over when the newest permit that is left leaves
      c.counts = { c.counts[2], c.counts[3], c.counts[4], 0 }
      c.ends, used = c.ends - c.third, table.concat(c.counts, ':')
    end
  elseif c.at == from and not (c.kind == BLOCKING and used == MOST) then
    used = max(0, used + c.cost)
  end
  if c.lack == 0 or used == EMPTY or c.ends <= now or used == 0 and c.from < 0 then -- a rejected decision's window goes again
    return call('DEL', c.key) < 0
  end
  if c.kind == BUCKET then
    return writeBucket(c)
  end
  return write(c, used, c.ends)
end

while args < #ARGV do
  local requests, counters, what = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0
  for _ = 1, requests do
    local all, fit, failure = {}, true, nil
    for i = 1, counters do
      local c, at = { key = KEYS[keys + i] }, args + 7 * i - 4
      c.cost, c.permits, c.window, c.kind = ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 4] + 0
      c.first, c.second, c.from = ARGV[at + 5] + 0, ARGV[at + 6] + 0, ARGV[at + 7] + 0
      c.at = call('PEXPIRETIME', c.key)
      c.open = c.at >= 0
      c.ends = c.open and max(c.at, now) + 1 or now
      local text = c.kind == BUCKET and '0:1:0' or c.kind == SLIDING and EMPTY or '0'
      text = c.open and try('GET', c.key) or text
      failure = failure or text.err or not parse(c, text) and 'ERR a counter holds no number'
      if not failure then
        judge(c, what > 0)
        fit = fit and c.fits
      end
      all[i] = c
    end
    for i = 1, failure and 0 or counters do
      local c = all[i]
      c.before = c.used
      if c.cost < 0 then
        failure = failure or c.open and giveBack(c)
      elseif c.cost > 0 and (what == 0 or what == 1 and fit) then
        failure = failure or take(c)
      elseif what > 0 and c.kind == BLOCKING and not c.fits and c.cost <= c.permits and c.used < MOST then
        c.ends, c.before, c.retry = now + c.first, MOST, c.first
        failure = failure or write(c, MOST, c.ends)
      elseif c.changed then
        failure = failure or writeBucket(c)
      end
    end
    table.insert(reply, failure and -1 or fit and 1 or 0)
    for i = 1, failure and 0 or counters do
      local c = all[i]
      table.insert(reply, c.before)
      table.insert(reply, c.at ~= -1 and c.at ~= -2 and c.at or 0)
      table.insert(reply, c.fits and 0 or max(1, c.retry))
    end
    if failure then
      table.insert(reply, failure)
    end
    keys = keys + counters
  end
  args = args + 3 + 7 * counters
end
return reply
