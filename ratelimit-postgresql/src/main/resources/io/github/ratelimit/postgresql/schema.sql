-- The schema of ratelimit-postgresql: run it by Flyway, Liquibase or psql, as often as you like. PostgreSQL 14 or newer.
-- Liquibase needs splitStatements: false, or it splits functions.
--
-- For another schema, replace "ratelimit" before each dot and in the next statement. Without UNLOGGED, counts survive a crash of the
-- server, except for those of the last 0.6 s at most. The application's role needs:
--   GRANT USAGE ON SCHEMA ratelimit TO app;
--   GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ratelimit TO app;
--
-- The functions' names end with their version: nodes of two versions call each their own, on the same tables.

-- A role without the right to create schemas may run this where the schema is there.
DO $$ BEGIN
  IF to_regnamespace('ratelimit') IS NULL THEN
    CREATE SCHEMA ratelimit;
  END IF;
END $$;

-- A row is a counter, named by a digest. Its window is open until "ends", in milliseconds since 1970. "used" are permits; of a bucket the
-- parts that are missing from it; of a sliding window four counts of 16 bits, the newest lowest. "rate" is how many parts of a bucket
-- come back each millisecond; "since" is when the bucket was made, the day or month began to count, or the newest third of the sliding
-- window began.
-- No index but the key's, and half of each page free: an update stays on its page.
CREATE UNLOGGED TABLE IF NOT EXISTS ratelimit.counter (
  key uuid PRIMARY KEY,
  used bigint NOT NULL,
  ends bigint NOT NULL,
  rate bigint,
  since bigint
) WITH (fillfactor = 50);

-- What a take has of a concurrency limit until "ends", named by the client. The row of its counter ends with the last one.
CREATE UNLOGGED TABLE IF NOT EXISTS ratelimit.ticket (
  counter uuid,
  ticket uuid,
  cost bigint NOT NULL,
  ends bigint NOT NULL,
  PRIMARY KEY (counter, ticket)
);

-- What operators changed, for all nodes: a text by its name. Always logged, because it outlives all restarts.
CREATE TABLE IF NOT EXISTS ratelimit.setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE OR REPLACE FUNCTION ratelimit.read_settings_2() RETURNS SETOF ratelimit.setting LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ SELECT * FROM ratelimit.setting $$;

CREATE OR REPLACE FUNCTION ratelimit.put_settings_2(names text[], texts text[]) RETURNS void LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ INSERT INTO ratelimit.setting SELECT n, t FROM unnest(names, texts) AS given(n, t) ORDER BY n
  ON CONFLICT (name) DO UPDATE SET value = excluded.value $$;

CREATE OR REPLACE FUNCTION ratelimit.remove_settings_2(names text[], texts text[]) RETURNS void LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ DELETE FROM ratelimit.setting WHERE (name, value) IN (SELECT n, t FROM unnest(names, texts) AS given(n, t)) $$;

CREATE OR REPLACE FUNCTION ratelimit.clock_2() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

-- Since when the table keeps counts: a crash of the server empties it. The row of the clean-up tells.
CREATE OR REPLACE FUNCTION ratelimit.kept_since_2() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS
$$ INSERT INTO ratelimit.counter AS c (key, used, ends, since) SELECT nil, 0, now, now
  FROM (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS nil, ratelimit.clock_2() AS now) made
  WHERE NOT EXISTS (SELECT FROM ratelimit.counter k WHERE k.key = nil AND k.since IS NOT NULL)
  ON CONFLICT (key) DO UPDATE SET since = coalesce(c.since, excluded.since);
  SELECT c.since FROM ratelimit.counter c WHERE c.key = '00000000-0000-0000-0000-000000000000' $$;

-- Takes permits, rejects, settles, resets and renews, on counters of every shape; as counters.lua does on Redis.
--
-- keys     the counters, each once, in ascending order
-- args     descriptions, each for groups that differ in nothing but their counters: how many groups it describes, how many counters and
--          how many identical requests each has, and the operation; then for each counter the cost (negative: to give back), the
--          permits, the window in milliseconds and the kind; and, unless kind and operation are the usual ones, two figures of the
--          shape (the burst and when the decision was; the block; the next two ends of the calendar, or one and when the decision was
--          that gives back; the halves of the ticket) and the end of the window to give back to (negative: the window goes if nothing else is used in it); then the places in "keys" of each group's counters
-- Returns  the server's time in milliseconds; then of each group how many requests were allowed, and of each of its counters what was
--          used before, when it ends now (0: no window is open; negative: it was opened just now) and in how many milliseconds one more
--          cost fits. A renewal is allowed if the ticket was still there. A group is -1 and nothing else if its ends of the calendar are over; it has changed nothing.
--          Null if a counter had no row: it has one now, and the call is to be made again.
--
-- Rows are locked in the order of their keys, so that calls wait for each other and never in a circle. Then the clock is read.
CREATE OR REPLACE FUNCTION ratelimit.decide_2(keys uuid[], args bigint[]) RETURNS bigint[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off -- a plan that was made while the table was small would read all of it
SET jit = off -- before PostgreSQL 18, that setting makes plans look so expensive that they are compiled
AS $$
DECLARE
  c_settle CONSTANT int := 0;  c_take CONSTANT int := 1;  c_reject CONSTANT int := 2;  c_reset CONSTANT int := 3;
  c_renew CONSTANT int := 4;
  c_fixed CONSTANT int := 0;  c_bucket CONSTANT int := 1;  c_sliding CONSTANT int := 2;
  c_blocking CONSTANT int := 3;  c_calendar CONSTANT int := 4;  c_tickets CONSTANT int := 5;
  c_most CONSTANT bigint := 9007199254740991; -- the most that a limit permits
  now bigint;
  reply bigint[];
  n int := 1; -- how long the reply is
  at int := 0; -- how much of args is read
  u bigint[];  e bigint[];  r bigint[];  s bigint[];  written boolean[]; -- the rows; permits used are negative until a block ends
  row record;
  groups int;  counters int;  requests bigint;  what int;
  o int[]; -- where each counter's arguments begin
  f int;  p int;  q int; -- where its figures are in the reply, its row, and where its arguments are
  cost bigint;  permits bigint;  span bigint;  kind int;  capacity bigint;  latest bigint;
  allowed bigint;  used bigint;  more bigint;  third bigint;  steps bigint;  failed boolean;  named uuid;
BEGIN
  -- Measured: one by one costs no more than all at once, and a quarter of that where it is one.
  FOR i IN 1..cardinality(keys) LOOP
    SELECT c.used, c.ends, c.rate, c.since INTO row FROM ratelimit.counter c WHERE c.key = keys[i] FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO ratelimit.counter (key, used, ends) SELECT k, 0, ratelimit.clock_2() FROM unnest(keys) k ORDER BY k ON CONFLICT DO NOTHING;
      RETURN NULL;
    END IF;
    u[i] := row.used;  e[i] := row.ends;  r[i] := row.rate;  s[i] := row.since;
  END LOOP;
  now := ratelimit.clock_2();
  reply := ARRAY[now];  written := array_fill(false, ARRAY[cardinality(keys)]);
  WHILE at < cardinality(args) LOOP
    groups := args[at + 1];  counters := args[at + 2];  requests := args[at + 3];  what := args[at + 4];  at := at + 4;
    FOR i IN 1..counters LOOP
      o[i] := at;
      at := at + CASE WHEN what = c_take AND args[at + 4] = c_fixed THEN 4 ELSE 7 END;
    END LOOP;
    FOR g IN 1..groups LOOP
      allowed := requests;  failed := false;

      -- Read all counters, and find how many requests fit into each.
      FOR i IN 1..counters LOOP
        q := o[i];  p := args[at + i];  f := n + 3 * i - 2;
        cost := args[q + 1];  permits := args[q + 2];  span := args[q + 3];  kind := args[q + 4];
        IF what = c_reset THEN
          cost := 0;  u[p] := 0;  e[p] := now;  written[p] := true;
        END IF;
        IF kind = c_tickets THEN
          named := lpad(to_hex(args[q + 5]), 16, '0') || lpad(to_hex(args[q + 6]), 16, '0'); -- the same for the whole group
          IF what = c_reset THEN
            DELETE FROM ratelimit.ticket t WHERE t.counter = keys[p];
          END IF;
          SELECT coalesce(sum(t.cost), 0) AS used, coalesce(max(t.ends), now) AS ends INTO row
            FROM ratelimit.ticket t WHERE t.counter = keys[p] AND t.ends > now;
          u[p] := row.used;  e[p] := row.ends;
        END IF;
        -- No window has more left than its length, also where the server's clock was set back.
        latest := coalesce(CASE kind WHEN c_bucket THEN now + (u[p] + r[p] - 1) / r[p] WHEN c_sliding THEN e[p] + now - s[p]
          WHEN c_calendar THEN CASE WHEN e[p] > now + span AND args[q + 5] > now THEN args[q + 5] ELSE e[p] END
          ELSE now + CASE WHEN kind = c_blocking AND u[p] < 0 THEN args[q + 5] ELSE span END END, now);
        IF e[p] > latest THEN
          e[p] := latest;  s[p] := least(s[p], now);  written[p] := true;
          UPDATE ratelimit.ticket t SET ends = latest WHERE t.counter = keys[p] AND t.ends > latest;
        END IF;
        reply[f + 2] := CASE WHEN e[p] > now THEN 1 ELSE -1 END; -- until the end is known, whether it was open
        IF e[p] <= now THEN
          u[p] := 0;  e[p] := now;
          IF kind = c_bucket OR kind = c_sliding THEN
            r[p] := permits;  s[p] := now;
          ELSIF kind = c_calendar AND cost > 0 AND greatest(args[q + 5], args[q + 6]) <= now THEN
            failed := true;
          END IF;
        ELSIF kind = c_bucket THEN
          u[p] := u[p] - greatest(0, now - e[p] + (u[p] + r[p] - 1) / r[p]) * r[p];
          IF what <> c_settle AND (r[p] <> permits OR u[p] > 2 * args[q + 5] * span) THEN -- the present limit applies from now on
            u[p] := least(u[p], 2 * args[q + 5] * span);  r[p] := permits;  e[p] := now + (u[p] + permits - 1) / permits;
            written[p] := true;
          END IF;
        ELSIF kind = c_sliding THEN
          steps := (now - s[p]) / ((span + 2) / 3);
          IF steps > 0 THEN
            u[p] := CASE WHEN steps < 4 THEN u[p] << 16 * steps::int ELSE 0 END;  s[p] := s[p] + steps * ((span + 2) / 3);
          END IF;
        END IF;
        capacity := permits;  used := u[p];
        IF kind = c_bucket THEN
          capacity := args[q + 5];  used := (used + span - 1) / span;
        ELSIF kind = c_sliding THEN
          used := (used & 65535) + (used >> 16 & 65535) + (used >> 32 & 65535) + (used >> 48 & 65535);
        END IF;
        reply[f + 1] := used;
        IF what = c_renew THEN
          IF NOT EXISTS (SELECT FROM ratelimit.ticket t WHERE t.counter = keys[p] AND t.ticket = named AND t.ends > now) THEN
            allowed := 0;
          END IF;
        ELSIF cost > 0 THEN
          allowed := greatest(0, least(allowed, (capacity - abs(used)) / cost));
        END IF;
      END LOOP;
      IF failed THEN
        n := n + 1;  reply := reply[1 : n - 1] || -1::bigint;  at := at + counters;
        CONTINUE;
      END IF;
      reply[n + 1] := allowed;

      -- Change them, and tell how they stand.
      FOR i IN 1..counters LOOP
        q := o[i];  p := args[at + i];  f := n + 3 * i - 2;
        cost := args[q + 1];  permits := args[q + 2];  span := args[q + 3];  kind := args[q + 4];
        more := CASE what WHEN c_take THEN allowed * cost WHEN c_settle THEN cost ELSE 0 END;
        capacity := CASE WHEN kind = c_bucket THEN args[q + 5] ELSE permits END;
        IF kind = c_sliding THEN
          third := (span + 2) / 3;
          steps := CASE WHEN more > 0 THEN 0 ELSE (s[p] + 4 * third - abs(args[q + 7])) / third END;
          IF more > 0 THEN
            u[p] := u[p] & ~65535::bigint | least((u[p] & 65535) + least(more, 65535), 65535);
          ELSIF more < 0 AND e[p] > now AND steps BETWEEN 0 AND 3 AND s[p] + (4 - steps) * third = abs(args[q + 7]) THEN
            u[p] := u[p] & ~(65535::bigint << 16 * steps::int)
              | (greatest(0, (u[p] >> 16 * steps::int & 65535) + more) << 16 * steps::int);
          END IF;
          IF more <> 0 THEN -- it is over when the newest permit that is left leaves
            e[p] := CASE WHEN u[p] & 65535 <> 0 THEN s[p] + 4 * third WHEN u[p] >> 16 & 65535 <> 0 THEN s[p] + 3 * third
              WHEN u[p] >> 32 & 65535 <> 0 THEN s[p] + 2 * third WHEN u[p] <> 0 THEN s[p] + third ELSE now END;
          END IF;
          used := (u[p] & 65535) + (u[p] >> 16 & 65535) + (u[p] >> 32 & 65535) + (u[p] >> 48 & 65535);
        ELSIF kind = c_tickets THEN
          IF more <> 0 OR what = c_renew THEN
            DELETE FROM ratelimit.ticket t WHERE t.counter = keys[p] AND (t.ends <= now OR t.ticket = named AND more < 0);
            UPDATE ratelimit.ticket t SET ends = now + span WHERE t.counter = keys[p] AND t.ticket = named AND what = c_renew;
            INSERT INTO ratelimit.ticket SELECT keys[p], named, more, now + span WHERE more > 0 ON CONFLICT DO NOTHING;
            SELECT coalesce(sum(t.cost), 0) AS used, coalesce(max(t.ends), now) AS ends INTO row
              FROM ratelimit.ticket t WHERE t.counter = keys[p];
            u[p] := row.used;  e[p] := row.ends;
            written[p] := true;
          END IF;
          used := u[p];
        ELSIF kind = c_bucket THEN
          IF more > 0 THEN -- a debt of one bucket at most
            u[p] := u[p] + least(more, greatest(0, (2 * capacity * span - u[p]) / span)) * span;
          ELSIF more < 0 AND args[q + 6] >= s[p] AND r[p] = permits AND e[p] > now THEN
            -- What has come back by time is not given back once more. At another rate, the decision's end was that of its rate.
            u[p] := greatest(0, u[p] - least(-more * span, greatest(0, abs(args[q + 7]) - now) * permits));
          END IF;
          IF more <> 0 THEN
            e[p] := now + (u[p] + r[p] - 1) / r[p];
          END IF;
          used := (u[p] + span - 1) / span;
        ELSE
          IF more > 0 THEN
            IF e[p] <= now THEN
              s[p] := CASE WHEN kind = c_calendar THEN now END;
              e[p] := CASE WHEN kind <> c_calendar THEN now + span WHEN args[q + 5] > now THEN args[q + 5] ELSE args[q + 6] END;
            END IF;
            more := least(more, c_most - abs(u[p]));
            u[p] := u[p] + CASE WHEN u[p] < 0 THEN -more ELSE more END;
          ELSIF more < 0 AND e[p] > now AND e[p] = abs(args[q + 7]) AND u[p] >= 0
            AND (kind <> c_calendar OR args[q + 6] >= s[p]) THEN
            u[p] := greatest(0, u[p] + more);
            IF u[p] = 0 AND args[q + 7] < 0 THEN
              e[p] := now;
            END IF;
          END IF;
          used := abs(u[p]);
        END IF;
        IF more <> 0 THEN
          written[p] := true;
        END IF;

        reply[f + 2] := CASE WHEN e[p] > now THEN reply[f + 2] * e[p] ELSE 0 END;
        reply[f + 3] := 0;
        IF cost > 0 AND cost <= capacity AND used > capacity - cost THEN
          IF kind = c_bucket THEN
            reply[f + 3] := greatest(1, (u[p] - (capacity - cost) * span + r[p] - 1) / r[p]);
          ELSIF kind = c_sliding THEN
            FOR k IN REVERSE 3..0 LOOP
              used := used - (u[p] >> 16 * k & 65535);
              reply[f + 3] := greatest(1, s[p] + (4 - k) * third - now);
              EXIT WHEN used + cost <= capacity;
            END LOOP;
          ELSE
            reply[f + 3] := e[p] - now;
            IF kind = c_blocking AND (what = c_take AND allowed < requests OR what = c_reject) AND u[p] >= 0 THEN
              e[p] := now + args[q + 5];  u[p] := -greatest(used, permits);  written[p] := true;
            END IF;
          END IF;
        END IF;
      END LOOP;
      n := n + 1 + 3 * counters;  at := at + counters;
    END LOOP;
  END LOOP;
  FOR i IN 1..cardinality(keys) LOOP
    IF written[i] THEN
      UPDATE ratelimit.counter c SET used = u[i], ends = e[i], rate = r[i], since = s[i] WHERE c.key = keys[i];
    END IF;
  END LOOP;
  RETURN reply;
END $$;

-- Takes permits from windows, each for a group of identical requests with one counter of its own: all of a group, or nothing. "decide" is asked
-- about what this leaves, and about all else. One look-up and one update on the page for each key; a rejection takes no lock and writes nothing.
--
-- keys     the counters, each once, in ascending order
-- amounts  what the groups take: one cost for each request
-- costs    of one request; far below zero if a rejection is left to "decide"
-- spans    of the windows, in milliseconds; negative if "decide" opens them
-- Returns  of a key its place, what is used and when the window ends, the time (negative if the window was opened just now), and how it went:
--          1 taken, 0 rejected, -1 left to "decide": no row, room for a part of the group, a window that has more left than its length, or
--          another call was faster. A second row about a key is of a newer state than the first one.
--
-- Who waits for a row that changes finds the time after that wait: SET and WHERE are evaluated anew. "rate", which windows do not use, keeps it.
-- Rows are met in the order of keys while the join is a nested loop; and no row is added, so calls never wait in a circle.
CREATE OR REPLACE FUNCTION ratelimit.take_2(keys uuid[], amounts bigint[], costs bigint[], permits bigint[], spans bigint[])
RETURNS TABLE (place bigint, used bigint, ends bigint, at bigint, how int) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan -- else each call is planned anew for the length of its arrays
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  taken bigint;
BEGIN
  RETURN QUERY UPDATE ratelimit.counter c SET (used, ends, rate) = (
      SELECT CASE WHEN t.open THEN c.used ELSE 0 END + a.amount, CASE WHEN t.open THEN c.ends ELSE t.now + a.span END,
        CASE WHEN t.open THEN t.now ELSE -t.now END
      FROM (SELECT now, c.ends > now AND c.used BETWEEN 0 AND a.permits - a.amount OR a.span < 0 AS open
        FROM (SELECT ratelimit.clock_2() AS now OFFSET 0) read OFFSET 0) t)
    FROM unnest(keys, amounts, permits, spans) WITH ORDINALITY AS a(key, amount, permits, span, i)
    WHERE c.key = a.key
      AND CASE WHEN c.ends > ratelimit.clock_2() THEN c.used BETWEEN 0 AND a.permits - a.amount AND c.ends <= ratelimit.clock_2() + abs(a.span)
        ELSE a.span > 0 END
    RETURNING a.i, c.used, c.ends, c.rate, 1;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < cardinality(keys) THEN
    RETURN QUERY SELECT a.i, c.used, c.ends, t.now,
        CASE WHEN c.ends - t.now BETWEEN 1 AND abs(a.span) AND c.used > a.permits - a.cost THEN 0 ELSE -1 END
      FROM (SELECT ratelimit.clock_2() AS now OFFSET 0) t, unnest(keys, costs, permits, spans) WITH ORDINALITY AS a(key, cost, permits, span, i)
      JOIN ratelimit.counter c ON c.key = a.key;
  END IF;
END $$;

-- As "take", for one key: measured, arrays and a plan for many cost a third more. Null if there is no row.
CREATE OR REPLACE FUNCTION ratelimit.take_one_2(named uuid, amount bigint, cost bigint, permits bigint, span bigint)
RETURNS bigint[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
  reply bigint[];
BEGIN
  UPDATE ratelimit.counter c SET (used, ends, rate) = (
      SELECT CASE WHEN t.open THEN c.used ELSE 0 END + amount, CASE WHEN t.open THEN c.ends ELSE t.now + span END,
        CASE WHEN t.open THEN t.now ELSE -t.now END
      FROM (SELECT now, c.ends > now AND c.used BETWEEN 0 AND permits - amount OR span < 0 AS open
        FROM (SELECT ratelimit.clock_2() AS now OFFSET 0) read OFFSET 0) t)
    WHERE c.key = named
      AND CASE WHEN c.ends > ratelimit.clock_2() THEN c.used BETWEEN 0 AND permits - amount AND c.ends <= ratelimit.clock_2() + abs(span)
        ELSE span > 0 END
    RETURNING ARRAY[c.used, c.ends, c.rate, 1] INTO reply;
  IF NOT FOUND THEN
    SELECT ARRAY[c.used, c.ends, t.now, CASE WHEN c.ends - t.now BETWEEN 1 AND abs(span) AND c.used > permits - cost THEN 0 ELSE -1 END]
      INTO reply FROM ratelimit.counter c, (SELECT ratelimit.clock_2() AS now OFFSET 0) t WHERE c.key = named;
  END IF;
  RETURN reply;
END $$;

-- As "take", for groups of several counters, all or nothing: the rows are locked in the order of their keys, and then the clock is read.
--
-- owners   the number of each key's group
-- sizes    how many keys that has
CREATE OR REPLACE FUNCTION ratelimit.take_several_2(keys uuid[], owners bigint[], sizes bigint[], amounts bigint[], costs bigint[],
  permits bigint[], spans bigint[])
RETURNS TABLE (place bigint, used bigint, ends bigint, at bigint, how int) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT a.*, c.used, c.ends
      FROM unnest(keys, owners, sizes, amounts, costs, permits, spans) WITH ORDINALITY AS a(key, owner, size, amount, cost, most, span, i)
      JOIN ratelimit.counter c ON c.key = a.key ORDER BY a.i FOR UPDATE OF c),
  judged AS MATERIALIZED (
    SELECT h.i, h.key, h.span, h.amount, t.now, h.ends, h.ends > t.now AS open, CASE WHEN h.ends > t.now THEN h.used ELSE 0 END AS before,
        count(*) OVER w = h.size AND bool_and(CASE WHEN h.ends > t.now
          THEN h.ends - t.now <= abs(h.span) AND h.used BETWEEN 0 AND h.most - h.amount ELSE h.span > 0 END) OVER w AS fits,
        count(*) OVER w = h.size AND bool_and(h.ends - t.now <= abs(h.span) AND h.used >= 0) OVER w
          AND bool_or(h.ends > t.now AND h.used > h.most - h.cost) OVER w AS rejected
      FROM (SELECT ratelimit.clock_2() AS now FROM (SELECT count(*) FROM held) AS locked) t, held h
      WINDOW w AS (PARTITION BY h.owner)),
  written AS (
    UPDATE ratelimit.counter c SET used = j.before + j.amount, ends = CASE WHEN j.open THEN j.ends ELSE j.now + j.span END
      FROM judged j WHERE c.key = j.key AND j.fits)
  SELECT j.i, j.before + CASE WHEN j.fits THEN j.amount ELSE 0 END, CASE WHEN j.open THEN j.ends WHEN j.fits THEN j.now + j.span ELSE 0 END,
      CASE WHEN j.open OR NOT j.fits THEN j.now ELSE -j.now END, CASE WHEN j.fits THEN 1 WHEN j.rejected THEN 0 ELSE -1 END
    FROM judged j;
END $$;

-- Deletes counters that were over a minute ago, for some milliseconds, and returns in how many milliseconds it is to be called again.
-- A row without a counter knows how far the rounds have come: whoever locks it is the only one that cleans up. Nobody waits for it.
CREATE OR REPLACE FUNCTION ratelimit.clean_up_2(millis int) RETURNS bigint LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
  c_progress CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  c_grace CONSTANT bigint := 60000; -- chosen: rows that were made for a call outlive it
  c_blocks CONSTANT bigint := 16; -- chosen: some thousand rows
  c_pause CONSTANT bigint := 250;
  c_rest CONSTANT bigint := 10000; -- chosen: between two passes
  now bigint := ratelimit.clock_2();
  block bigint;  due bigint;  pause bigint := c_pause;
BEGIN
  SELECT c.used, c.ends INTO block, due FROM ratelimit.counter c WHERE c.key = c_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM ratelimit.kept_since_2();
    RETURN c_pause;
  ELSIF due BETWEEN now + 1 AND now + c_rest THEN
    RETURN due - now;
  END IF;
  LOOP
    IF block * current_setting('block_size')::bigint >= pg_relation_size('ratelimit.counter') THEN
      block := 0;  pause := c_rest;
      EXIT;
    END IF;
    WITH deleted AS (DELETE FROM ratelimit.counter WHERE ctid = ANY (ARRAY(SELECT c.ctid FROM ratelimit.counter c
      WHERE c.ctid >= format('(%s,0)', block)::tid AND c.ctid < format('(%s,0)', block + c_blocks)::tid
        AND c.ends < now - c_grace AND c.key <> c_progress FOR UPDATE SKIP LOCKED)) RETURNING key)
    DELETE FROM ratelimit.ticket t USING deleted WHERE t.counter = deleted.key;
    block := block + c_blocks;
    EXIT WHEN ratelimit.clock_2() >= now + millis;
  END LOOP;
  UPDATE ratelimit.counter c SET used = block, ends = now + pause WHERE c.key = c_progress;
  RETURN pause;
END $$;

REVOKE ALL ON FUNCTION ratelimit.clock_2(), ratelimit.kept_since_2(), ratelimit.decide_2(uuid[], bigint[]), ratelimit.clean_up_2(int),
  ratelimit.take_2(uuid[], bigint[], bigint[], bigint[], bigint[]), ratelimit.take_one_2(uuid, bigint, bigint, bigint, bigint),
  ratelimit.take_several_2(uuid[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[]),
  ratelimit.read_settings_2(), ratelimit.put_settings_2(text[], text[]), ratelimit.remove_settings_2(text[], text[]) FROM PUBLIC;

-- The last statement: it shows that all others have run. Version and revision, which grows with each change of a function.
COMMENT ON FUNCTION ratelimit.decide_2(uuid[], bigint[]) IS 'ratelimit 2.2';
