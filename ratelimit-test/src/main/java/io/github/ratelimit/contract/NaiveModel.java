package io.github.ratelimit.contract;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A store that is obviously right and slow: each counter keeps every grant, and each question adds them up. One small model for each shape.
 * Used by one thread.
 */
final class NaiveModel {

    /** The model's answer about one limit. */
    record Status(long remaining, Duration resetAfter, Instant resetAt, Optional<Duration> retryAfter) {}

    /** The model's answer to a request, and its settlement by the real cost of each charge. */
    record Answer(boolean allowed, List<Status> statuses, Settlement settlement) {}

    /** Settles a decision, once. */
    interface Settlement {
        void settle(ToLongFunction<Charge> actual);
    }

    /** The permits that one decision took of one counter, and their time. */
    private static final class Grant {

        final long at;
        long cost;

        Grant(long at, long cost) {
            this.at = at;
            this.cost = cost;
        }
    }

    /** The grants of a counter, and what its shape makes of them. Moments in nanoseconds. */
    private abstract static class Model {

        List<Grant> grants = new ArrayList<>();

        /** How many permits are taken at a moment. */
        abstract long used(Charge charge, long now);

        /** When all permits are back; not after {@code now} if they are. */
        abstract long end(Charge charge, long now);

        /** When the cost fits, if it does not fit now. */
        abstract long fitsAt(Charge charge, long now);

        Grant take(Charge charge, long now) {
            Grant grant = new Grant(now, charge.cost());
            grants.add(grant);
            return grant;
        }

        void giveBack(Charge charge, Grant grant, long permits, long now) {
            if (grants.contains(grant)) {
                grant.cost -= permits;
            }
        }

        void reject(Charge charge, long now) {}

        /** From now on the charge's limit applies. */
        void apply(Charge charge, long now) {}

        void reset() {
            grants = new ArrayList<>();
        }
    }

    /** Windows that begin with a grant and end after their length, or by the calendar. */
    private class Fixed extends Model {

        long end;

        @Override
        long used(Charge charge, long now) {
            return isOpen(now) ? grants.stream().mapToLong(grant -> grant.cost).sum() : 0;
        }

        private boolean isOpen(long now) {
            return !grants.isEmpty() && now - end < 0;
        }

        @Override
        long end(Charge charge, long now) {
            return isOpen(now) ? end : now;
        }

        @Override
        long fitsAt(Charge charge, long now) {
            return end;
        }

        @Override
        Grant take(Charge charge, long now) {
            if (!isOpen(now)) {
                grants = new ArrayList<>();
                end = now + length(charge).toNanos();
            }
            return super.take(charge, now);
        }

        private Duration length(Charge charge) {
            Limit limit = charge.limit();
            CalendarWindow calendar = limit.shape().calendar();
            return calendar == null ? limit.window() : Duration.between(time.instant(), calendar.endOf(time.instant()));
        }

        @Override
        void giveBack(Charge charge, Grant grant, long permits, long now) {
            if (isOpen(now)) {
                super.giveBack(charge, grant, permits, now);
            }
        }
    }

    /** A fixed window that the first request too many closes: all permits count as used, and stay so until the block ends. */
    private final class Blocking extends Fixed {

        private boolean blocked;

        @Override
        long used(Charge charge, long now) {
            blocked &= now - end < 0;
            return super.used(charge, now);
        }

        @Override
        Grant take(Charge charge, long now) {
            used(charge, now);
            return super.take(charge, now);
        }

        @Override
        void giveBack(Charge charge, Grant grant, long permits, long now) {
            used(charge, now);
            if (!blocked) {
                super.giveBack(charge, grant, permits, now);
            }
        }

        @Override
        void reject(Charge charge, long now) {
            long permits = charge.limit().permits();
            if (!blocked && charge.cost() <= permits) {
                grants = new ArrayList<>(List.of(new Grant(now, Math.max(used(charge, now), permits))));
                blocked = true;
                end = now + charge.limit().shape().block().toNanos();
            }
        }

        @Override
        void reset() {
            blocked = false;
            super.reset();
        }
    }

    /** A deficit that shrinks evenly. Counted exactly: in billionths of a permit for each nanosecond of the window. */
    private static final class Bucket extends Model {

        private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

        private final Map<Grant, Long> ends = new HashMap<>();
        private BigInteger missing = BigInteger.ZERO;
        private BigInteger rate = BigInteger.ONE;
        private long at;

        private static BigInteger big(long number) {
            return BigInteger.valueOf(number);
        }

        private static BigInteger permit(Charge charge) {
            return big(charge.limit().window().toNanos()).multiply(BILLION);
        }

        private BigInteger missing(long now) {
            return missing.signum() == 0
                    ? missing
                    : missing.subtract(rate.multiply(big(now - at))).max(BigInteger.ZERO);
        }

        private static BigInteger up(BigInteger dividend, BigInteger divisor) {
            return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
        }

        @Override
        long used(Charge charge, long now) {
            return up(missing(now), permit(charge)).longValueExact();
        }

        @Override
        long end(Charge charge, long now) {
            return now + up(missing(now), rate).longValueExact();
        }

        @Override
        long fitsAt(Charge charge, long now) {
            BigInteger room = permit(charge).multiply(big(charge.limit().capacity() - charge.cost()));
            return now + up(missing(now).subtract(room), rate).longValueExact();
        }

        private void set(BigInteger missing, long now) {
            this.missing = missing;
            at = now;
        }

        private static BigInteger rate(Charge charge) {
            return big(charge.limit().permits()).multiply(BILLION);
        }

        private static BigInteger most(Charge charge) {
            return permit(charge).multiply(big(2 * charge.limit().capacity()));
        }

        /** Missing permits stay missing, and come back at another rate. */
        @Override
        void apply(Charge charge, long now) {
            if (!rate.equals(rate(charge)) || missing(now).compareTo(most(charge)) > 0) {
                set(missing(now).min(most(charge)), now);
                rate = rate(charge);
            }
        }

        @Override
        Grant take(Charge charge, long now) {
            if (missing(now).signum() == 0) {
                apply(charge, now);
                grants = new ArrayList<>(); // of all of them everything is back
            }
            BigInteger room =
                    most(charge).subtract(missing(now)).max(BigInteger.ZERO).divide(permit(charge));
            set(missing(now).add(permit(charge).multiply(room.min(big(charge.cost())))), now);
            Grant grant = super.take(charge, now);
            ends.put(grant, end(charge, now));
            return grant;
        }

        /**
         * Permits that time has returned are not given back again: they return in the order in which they were taken. A decision at
         * another rate gives nothing back.
         */
        @Override
        void giveBack(Charge charge, Grant grant, long permits, long now) {
            if (grants.contains(grant) && missing(now).signum() > 0 && rate.equals(rate(charge))) {
                BigInteger back = permit(charge)
                        .multiply(big(permits))
                        .min(rate.multiply(big(ends.getOrDefault(grant, now) - now)));
                set(missing(now).subtract(back.max(BigInteger.ZERO)).max(BigInteger.ZERO), now);
            }
        }

        @Override
        void reset() {
            missing = BigInteger.ZERO;
            super.reset();
        }
    }

    /** Grants that count until four thirds of the window after the begin of their third. Thirds follow each other while any grant counts. */
    private static final class Sliding extends Model {

        private long begin;

        private static long third(Charge charge) {
            return (charge.limit().window().toMillis() + 2) / 3 * 1_000_000;
        }

        private long leaves(Charge charge, Grant grant) {
            long third = third(charge);
            return begin + ((grant.at - begin) / third + 4) * third;
        }

        @Override
        long used(Charge charge, long now) {
            return grants.stream()
                    .filter(grant -> leaves(charge, grant) - now > 0)
                    .mapToLong(grant -> grant.cost)
                    .sum();
        }

        @Override
        long end(Charge charge, long now) {
            return now
                    + grants.stream()
                            .filter(grant -> grant.cost > 0)
                            .mapToLong(grant -> Math.max(0, leaves(charge, grant) - now))
                            .max()
                            .orElse(0);
        }

        @Override
        long fitsAt(Charge charge, long now) {
            long third = third(charge);
            long at = begin + ((now - begin) / third + 1) * third;
            while (charge.limit().permits() - used(charge, at) < charge.cost()) {
                at += third;
            }
            return at;
        }

        @Override
        Grant take(Charge charge, long now) {
            if (end(charge, now) == now) {
                grants = new ArrayList<>();
                begin = now;
            }
            return super.take(charge, now);
        }

        @Override
        void giveBack(Charge charge, Grant grant, long permits, long now) {
            if (leaves(charge, grant) - now > 0) {
                super.giveBack(charge, grant, permits, now);
            }
        }
    }

    /** A list of tickets. Each leaves when it is given back as a whole, or with the end of its lease. */
    private static final class Concurrent extends Model {

        private static long left(Charge charge, Grant grant, long now) {
            return charge.limit().window().toNanos() - (now - grant.at);
        }

        @Override
        long used(Charge charge, long now) {
            return grants.stream()
                    .filter(grant -> left(charge, grant, now) > 0)
                    .mapToLong(grant -> grant.cost)
                    .sum();
        }

        @Override
        long end(Charge charge, long now) {
            return now
                    + grants.stream()
                            .mapToLong(grant -> Math.max(0, left(charge, grant, now)))
                            .max()
                            .orElse(0);
        }

        @Override
        long fitsAt(Charge charge, long now) {
            return now + 1_000_000_000;
        }

        @Override
        void giveBack(Charge charge, Grant grant, long permits, long now) {
            if (permits == grant.cost) {
                grants.remove(grant);
            }
        }
    }

    private final TimeSource time;
    private final Map<List<Object>, Model> models = new HashMap<>();

    NaiveModel(TimeSource time) {
        this.time = time;
    }

    /** All or nothing; nothing always fits. */
    Answer tryAcquire(List<Charge> charges) {
        long now = time.nanoTime();
        charges.forEach(charge -> model(charge).apply(charge, now));
        boolean allowed = charges.stream().allMatch(this::fits);
        List<Grant> taken = new ArrayList<>();
        for (Charge charge : charges) {
            if (allowed) {
                taken.add(charge.cost() > 0 ? model(charge).take(charge, now) : new Grant(now, 0));
            } else if (!fits(charge)) {
                model(charge).reject(charge, now);
            }
        }
        List<Status> statuses =
                charges.stream().map(charge -> status(charge, allowed)).toList();
        boolean[] done = {!allowed};
        return new Answer(allowed, statuses, actual -> {
            for (int i = 0; i < taken.size() && !done[0]; i++) {
                settle(charges.get(i), taken.get(i), actual.applyAsLong(charges.get(i)));
            }
            done[0] = true;
        });
    }

    private void settle(Charge charge, Grant grant, long actual) {
        long now = time.nanoTime();
        if (actual < charge.cost()) {
            model(charge).giveBack(charge, grant, charge.cost() - actual, now);
        } else if (actual > charge.cost() && !charge.limit().shape().isConcurrent()) {
            Charge more = charge.withCost(actual - charge.cost());
            model(more).take(more, now);
        }
    }

    /** The counted permits are gone, and none of them can be given back. */
    void reset(List<Charge> charges) {
        charges.forEach(charge -> model(charge).reset());
    }

    /** How long until the next counter has all its permits back; empty if all have. */
    Optional<Duration> nextEnd(List<Charge> charges) {
        return charges.stream()
                .map(this::resetAfter)
                .filter(after -> !after.isZero())
                .min(Duration::compareTo);
    }

    private boolean fits(Charge charge) {
        return charge.cost() == 0 || charge.cost() <= left(charge);
    }

    private Status status(Charge charge, boolean allowed) {
        Duration resetAfter = resetAfter(charge);
        Optional<Duration> retryAfter = Optional.of(Duration.ZERO);
        if (!allowed && !fits(charge)) {
            long now = time.nanoTime();
            retryAfter = charge.cost() > charge.limit().capacity()
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(model(charge).fitsAt(charge, now) - now));
        }
        Instant resetAt = time.instant().plus(resetAfter).plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
        return new Status(Math.max(0, left(charge)), resetAfter, resetAt, retryAfter);
    }

    private long left(Charge charge) {
        return charge.limit().capacity() - model(charge).used(charge, time.nanoTime());
    }

    private Duration resetAfter(Charge charge) {
        return Duration.ofNanos(model(charge).end(charge, time.nanoTime()) - time.nanoTime());
    }

    /** Of the counter: a limiter, a limit's name, its window, the kind of its shape and a key. The permits are no part of it. */
    private Model model(Charge charge) {
        Limit limit = charge.limit();
        List<Object> counter = List.of(
                charge.limiter(), limit.name(), limit.window(), limit.shape().kind(), charge.key());
        return models.computeIfAbsent(counter, unused -> switch (limit.shape().kind()) {
            case FIXED, CALENDAR -> new Fixed();
            case BLOCKING -> new Blocking();
            case BUCKET -> new Bucket();
            case SLIDING -> new Sliding();
            case CONCURRENT -> new Concurrent();
        });
    }
}
