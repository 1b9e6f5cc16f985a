-- Takes permits, rejects, settles and resets, on counters of every shape.
--
-- KEYS     the counters of the first group, then those of the second, and so on; on a Cluster all of one slot
-- ARGV     a number that the reply returns; then descriptions, each for groups that differ in nothing but their counters: how many
--          groups it describes, how many counters and how many identical requests each has, and the operation (0 settles each counter
--          by itself; 1 takes from all or none, request after request; 2 rejects, whether it fits or not; 3 resets; 4 renews tickets);
--          then for each counter the cost (negative: to give back), the permits, the window in milliseconds and the kind; and,
--          unless kind and operation are 0 and 1, two figures of the shape (the burst and when the decision was; the block; the next
--          two ends of the calendar, or one and when the decision was that gives back; the halves of the ticket) and the end of the
--          window to give back to (negative: the window goes if nothing else is used in it)
-- Returns  the number and the server's time in milliseconds; then of each group how many requests were allowed, and of each of its
--          counters what was used before (negative: blocked), when it ends now (0: no window is open; negative: it was opened just now)
--          and in how many milliseconds one more cost fits. A group that failed is -1 and the error; it has changed nothing. A renewal is
--          allowed if the ticket was still there.
--
-- Only the server's clock decides. Where it was set back, no window has more left than its length. A counter is one string, and its
-- expiry is its end. A plain number is what is used, negative until a block ends. "used:age" is a window of the calendar: so long before
-- its end it was opened. A bucket is "rest:rate:age": until it is full, "rate" parts come back each millisecond, and a permit has as many
-- parts as the window has milliseconds; so long before its end it was made. A sliding window is four counts, the newest first, each of a
-- third of the window. Tickets are a sorted set by their ends, with a member for each permit; it expires with the last one. Numbers are
-- exact to 2^53 - 1, the most that a limit permits.
--
-- No key is ever without an expiry: INCRBY only meets keys that have one, each other write is a SET that brings one, and tickets get
-- theirs last. A server that rejects the first SET or ZADD of a script for want of memory rejects all, so that nothing is half
-- done. A counter that somebody made persist counts as if it had just been used: a window begins anew with its count, and a bucket
-- is empty; tickets keep their ends.

local call, try, floor, ceil, abs, max, min = redis.call, redis.pcall, math.floor, math.ceil, math.abs, math.max, math.min
local format, match = string.format, string.match
local SETTLE, TAKE, REJECT, RESET, RENEW = 0, 1, 2, 3, 4
local FIXED, BUCKET, SLIDING, BLOCKING, CALENDAR, TICKETS = 0, 1, 2, 3, 4, 5
local MOST = 9007199254740991

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

local function delete(c)
  local done = try('DEL', c.key)
  return type(done) == 'table' and done.err
end

-- When a window that begins now ends.
local function nextEnd(c)
  if c.kind == CALENDAR then
    return c.first > now and c.first or c.second
  end
  return now + (c.held and c.first or c.window)
end

local function readBucket(c, text, decides)
  local rest, rate, age = '0', c.permits, '0'
  if text then
    rest, rate, age = match(text, '^(%d+):(%d+):(%d+)$')
    if not age then
      return false
    end
  end
  c.rate, c.made, c.parts = rate + 0, min(c.ends - age, now), c.first * c.window
  c.lack = c.persists and c.parts or max(0, (c.ends - now) * c.rate - rest)
  if decides and (c.rate ~= c.permits or c.lack > 2 * c.parts) then -- the present limit applies from now on
    c.lack, c.rate, c.dirty = min(c.lack, 2 * c.parts), c.permits, true
  end
  c.used = ceil(c.lack / c.window)
  return true
end

local function readSliding(c, text)
  local counts = { 0, 0, 0, 0 }
  c.third = floor((c.window + 2) / 3)
  c.begin = text and not c.persists and c.ends - 4 * c.third or now
  if c.begin > now then
    c.begin, c.ends, c.dirty = now, now + 4 * c.third, true
  end
  if text then
    counts = { match(text, '^(%d+):(%d+):(%d+):(%d+)$') }
    if not counts[4] then
      return false
    end
    while now >= c.begin + c.third do
      c.begin, counts = c.begin + c.third, { 0, counts[1], counts[2], counts[3] }
    end
  end
  c.counts, c.used = counts, counts[1] + counts[2] + counts[3] + counts[4]
  return true
end

-- Changes nothing, so that the first write is one that a server without memory rejects. Returns the error.
local function readTickets(c)
  c.used = try('ZCOUNT', c.key, format('(%.0f', now), '+inf')
  if type(c.used) == 'table' then
    return c.used.err
  end
  c.open = c.used > 0
  c.ends = c.open and call('ZRANGE', c.key, -1, -1, 'WITHSCORES')[2] + 0 or now
  c.dirty = c.dirty or c.ends > now + c.window
  c.ends = min(c.ends, now + c.window)
end

-- One of the permits that a ticket names.
local function member(c, permit)
  return permit == 1 and c.ticket or c.ticket .. ':' .. permit
end

local function readWindow(c, text)
  local used, age = text, nil
  if text and c.kind == CALENDAR then
    used, age = match(text, '^(%d+):(%d+)$')
  elseif text then
    used = match(text, c.kind == BLOCKING and '^%-?%d+$' or '^%d+$')
  end
  c.used, c.since = used and abs(used) or 0, age and c.ends - age
  c.held = used and used + 0 < 0
  if c.persists or c.ends > nextEnd(c) and (c.kind ~= CALENDAR or c.ends > now + c.window and nextEnd(c) > now) then
    c.ends, c.since, c.dirty = nextEnd(c), now, true
  end
  return used or not text
end

-- Finds what is used, in permits. Returns the error of a counter that holds none.
local function read(c, decides)
  local at = call('PEXPIRETIME', c.key)
  c.persists = at == -1
  c.open, c.dirty = at ~= -2, c.persists
  if c.kind == TICKETS then
    return readTickets(c)
  end
  local text = c.open and try('GET', c.key)
  if type(text) == 'table' then
    return text.err
  end
  c.ends = at >= 0 and max(at, now) + 1 or now
  local known
  if c.kind == BUCKET then
    known = readBucket(c, text, decides)
  elseif c.kind == SLIDING then
    known = readSliding(c, text)
  else
    known = readWindow(c, text)
  end
  if not known then
    return 'ERR a counter holds no number'
  end
end

-- In how many milliseconds one more cost fits; 0 for one that never does.
local function retry(c)
  if c.cost <= 0 or c.cost > c.most or c.used + c.cost <= c.most then
    return 0
  elseif c.kind == BUCKET then
    return max(1, ceil((c.lack - c.parts + c.cost * c.window) / c.rate))
  elseif c.kind == SLIDING then
    local left, thirds = c.used, 0
    repeat
      left, thirds = left - c.counts[4 - thirds], thirds + 1
    until thirds == 4 or left + c.cost <= c.most
    return max(1, c.begin + thirds * c.third - now)
  end
  return c.ends - now
end

-- Returns the server's error.
local function take(c, permits)
  for permit = 1, c.kind == TICKETS and permits or 0 do
    local done = try('ZADD', c.key, 'NX', now + c.window, member(c, permit))
    if type(done) == 'table' then
      return done.err
    end
  end
  if c.kind == BUCKET then
    c.lack = c.lack + min(permits, max(0, floor((2 * c.parts - c.lack) / c.window))) * c.window -- a debt of one bucket at most
  elseif c.kind == SLIDING then
    c.counts[1] = min(c.counts[1] + permits, 65535)
  elseif not c.open then
    c.ends, c.since = nextEnd(c), now
  end
  c.used = min(c.used + permits, MOST)
end

-- What has come back by time is not given back once more: permits come back in the order in which they were taken.
local function giveBack(c, permits)
  local from = abs(c.from)
  if c.kind == BUCKET then
    -- A decision at another rate gives nothing back, because its end was that of its rate.
    local left = c.second >= c.made and c.rate == c.permits and max(0, from - now) or 0
    c.lack = max(0, c.lack - min(permits * c.window, left * c.rate))
  elseif c.kind == SLIDING then
    local i = (c.begin + 4 * c.third - from) / c.third + 1
    if c.counts[i] then
      c.counts[i] = max(0, c.counts[i] - permits)
    end
  elseif c.kind == TICKETS then
    for permit = 1, permits do
      call('ZREM', c.key, member(c, permit))
    end
  elseif c.ends == from and not c.held and not (c.kind == CALENDAR and c.second < c.since) then
    c.used = max(0, c.used - permits)
  end
end

-- Forgets what is over, and lets the key expire with the last ticket.
local function writeTickets(c)
  call('ZREMRANGEBYSCORE', c.key, '-inf', now)
  for _, late in ipairs(c.dirty and call('ZRANGEBYSCORE', c.key, format('(%.0f', now + c.window), '+inf') or {}) do
    call('ZADD', c.key, 'XX', now + c.window, late)
  end
  c.ends = (call('ZRANGE', c.key, -1, -1, 'WITHSCORES')[2] or now) + 0
  call('PEXPIREAT', c.key, c.ends)
end

-- Writes a counter, or deletes it if nothing is used. Returns the server's error.
local function write(c)
  if c.kind == TICKETS then
    return writeTickets(c)
  end
  local state = c.held and -c.used or c.used
  if c.kind == BUCKET then
    local wait = c.lack > 0 and max(2, ceil(c.lack / c.rate)) or 0
    state = format('%.0f:%.0f:%.0f', wait * c.rate - c.lack, c.rate, now + wait - c.made)
    c.ends = now + wait
  elseif c.kind == SLIDING then
    local newest = 1 -- it is over when the newest permit that is left leaves
    while newest < 5 and c.counts[newest] + 0 == 0 do
      newest = newest + 1
    end
    c.ends = newest < 5 and c.begin + (5 - newest) * c.third or now
    state = format('%d:%d:%d:%d', c.counts[newest] or 0, c.counts[newest + 1] or 0, c.counts[newest + 2] or 0, c.counts[newest + 3] or 0)
  elseif c.kind == CALENDAR then
    state = format('%.0f:%.0f', c.used, c.ends - c.since)
  end
  if c.ends <= now or c.used == 0 and (c.from or 0) < 0 then
    return delete(c)
  end
  return try('SET', c.key, state, 'PXAT', max(c.ends - 1, now + 1)).err -- a key is there until the end of that millisecond
end

-- Carries out a group. Returns how many requests were allowed, or nothing and the error.
local function carryOut(counters, requests, what, all)
  local allowed, failure = requests, nil
  for i = 1, counters do
    local c = all[i]
    if what == RESET then
      c.cost, c.before, c.used, c.ends, c.open, failure = 0, 0, 0, now, false, failure or delete(c)
    else
      failure = failure or read(c, what ~= SETTLE)
    end
    if not failure then
      c.before = c.held and -c.used or c.used
      if c.kind == CALENDAR and c.cost > 0 and (c.persists or not c.open) and nextEnd(c) <= now then
        failure = 'ERR the ends of the calendar are over' -- before anything is written
      elseif what == RENEW then
        local ends = call('ZSCORE', c.key, c.ticket)
        allowed = ends and ends + 0 > now and allowed or 0
      elseif c.cost > 0 then
        allowed = max(0, min(allowed, floor((c.most - c.used) / c.cost)))
      end
    end
  end
  for i = 1, failure and 0 or counters do
    local c = all[i]
    if what == SETTLE and c.cost < 0 then
      if c.open then
        giveBack(c, -c.cost)
        failure = failure or write(c)
      end
    elseif what == RENEW then
      call('ZREMRANGEBYSCORE', c.key, '-inf', now) -- first: after a write, a server without memory permits others
      for permit = 1, c.cost do
        call('ZADD', c.key, 'XX', now + c.window, member(c, permit))
      end
      writeTickets(c)
    elseif what == SETTLE or what == TAKE then
      local permits = what == SETTLE and c.cost or allowed * c.cost
      if permits > 0 then
        failure = failure or take(c, permits) or write(c)
      elseif c.dirty then
        failure = failure or write(c)
      end
    elseif c.dirty then
      failure = failure or write(c)
    end
    c.told = c.open and not c.persists and c.ends or c.ends > now and -c.ends or 0
    c.retry = retry(c)
    if
      c.kind == BLOCKING
      and (what == TAKE and allowed < requests or what == REJECT)
      and c.cost > 0
      and c.cost <= c.permits
      and c.used + c.cost > c.permits
      and not c.held -- nothing prolongs a block
    then
      c.ends, c.used, c.held = now + c.first, max(c.used, c.permits), true
      failure = failure or write(c)
    end
  end
  return not failure and allowed, failure
end

-- The usual case, in two commands for each counter: fixed windows that are open and have room. Returns whether it was that.
local function addToOpen(counters, all)
  local fits, added = true, 0
  for i = 1, counters do
    local c = all[i]
    local at = call('PEXPIRETIME', c.key)
    local used = at >= 0 and at < now + c.window and try('INCRBY', c.key, c.amount)
    if type(used) ~= 'number' then
      fits = false
      break
    end
    added, c.before, c.told, c.retry = i, used - c.amount, max(at, now) + 1, 0
    fits = c.before >= 0 and used <= c.permits
    if not fits then
      break
    end
  end
  for i = 1, fits and 0 or added do
    call('INCRBY', all[i].key, -all[i].amount)
  end
  return fits
end

local reply, size, keys, args = { ARGV[1] + 0, now }, 2, 0, 1
while args < #ARGV do
  local groups, counters, requests, what = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0, ARGV[args + 4] + 0
  args = args + 4
  local all, usual = {}, what == TAKE
  for i = 1, counters do
    local c = { cost = ARGV[args + 1] + 0, permits = ARGV[args + 2] + 0, window = ARGV[args + 3] + 0, kind = ARGV[args + 4] + 0 }
    args = args + 4
    if c.kind ~= FIXED or what ~= TAKE then
      c.first, c.second, c.from = ARGV[args + 1] + 0, ARGV[args + 2] + 0, ARGV[args + 3] + 0
      c.ticket = c.kind == TICKETS and ARGV[args + 1] .. ':' .. ARGV[args + 2] -- as text: numbers would lose bits
      args = args + 3
    end
    c.most, c.amount = c.kind == BUCKET and c.first or c.permits, requests * c.cost
    usual = usual and c.kind == FIXED and c.amount > 0 and c.amount <= c.permits
    all[i] = c
  end
  for _ = 1, groups do
    for i = 1, counters do
      all[i].key = KEYS[keys + i]
    end
    local allowed, failure = requests, nil
    if not (usual and addToOpen(counters, all)) then
      allowed, failure = carryOut(counters, requests, what, all)
    end
    reply[size + 1], reply[size + 2] = allowed or -1, failure
    size = size + (failure and 2 or 1)
    for i = 1, failure and 0 or counters do
      reply[size + 1], reply[size + 2], reply[size + 3] = all[i].before, all[i].told, all[i].retry
      size = size + 3
    end
    keys = keys + counters
  end
end
return reply
