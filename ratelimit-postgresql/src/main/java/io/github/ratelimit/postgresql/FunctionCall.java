package io.github.ratelimit.postgresql;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.remote.Batch;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.Reply;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of functions that carry a batch: "take" for what is usual, and "decide" for what that leaves and for all else. Calls have each
 * counter once, in the order in which rows are locked. Made on the engine's thread, then used by another one.
 */
final class FunctionCall {

    private static final int TAKE = 1;
    private static final int FIXED = 0;
    private static final int BLOCKING = 3;
    private static final int CALENDAR = 4;

    private final Batch batch;
    private final List<Group> groups = new ArrayList<>(2);

    FunctionCall(Batch batch) {
        this.batch = batch;
        List<Counter> counters = new ArrayList<>(2);
        LongStream.Builder all = LongStream.builder();
        batch.writeTo(counters::add, all);
        long[] numbers = all.build().toArray();
        Iterator<Counter> next = counters.iterator();
        for (int at = 0; at < numbers.length; ) {
            int size = (int) numbers[at + 1];
            int end = at + 4;
            for (int i = 0; i < size; i++) {
                end += numbers[at + 3] == TAKE && numbers[end + 3] == FIXED ? 4 : 7;
            }
            long[] asked = Arrays.copyOfRange(numbers, at + 1, end);
            for (long left = numbers[at]; left > 0; left--) {
                Counter[] own = new Counter[size];
                Arrays.setAll(own, i -> next.next());
                groups.add(new Group(own, asked));
            }
            at = end;
        }
    }

    /** Identical requests. */
    private static final class Group {

        /** As PostgreSQL sorts a uuid. */
        private static final Comparator<Counter> ORDER = (one, other) -> {
            int high = Long.compareUnsigned(one.high(), other.high());
            return high == 0 ? Long.compareUnsigned(one.low(), other.low()) : high;
        };

        private final Counter[] counters;
        private final long[]
                asked; // as "decide" reads it, from the number of counters on; the same object in groups that ask the
        // same
        private long @Nullable [] told; // as Batch reads it

        private Group(Counter[] counters, long[] asked) {
            this.counters = counters;
            this.asked = asked;
        }

        private Counter counter() {
            return counters[0];
        }

        private long requests() {
            return asked[1];
        }

        private long cost() {
            return asked[3];
        }

        private long permits() {
            return asked[4];
        }

        private long amount() {
            return cost() * requests();
        }

        /** Whether "take" can decide about it: one counter that has a window, and costs that fit into one. */
        private boolean isUsual() {
            return asked[0] == 1
                    && asked[2] == TAKE
                    && (asked[6] == FIXED || asked[6] == BLOCKING || asked[6] == CALENDAR)
                    && cost() > 0
                    && cost() <= permits() / requests();
        }

        /** What one request lacks where it is rejected; a rejection closes a blocking window, so that "decide" makes it. */
        private long rejectedCost() {
            return asked[6] == BLOCKING ? 0 : cost();
        }

        private long span() {
            return asked[6] == CALENDAR ? -asked[5] : asked[5];
        }

        /** Hears of "take". The first word counts, as the second one is of a newer state. Returns the server's time. */
        private long hear(long used, long ends, long at, long how) {
            long now = Math.abs(at);
            if (told == null && how >= 0) {
                told = new long[] {
                    how * requests(),
                    used - how * amount(),
                    at < 0 ? -ends : ends,
                    used > permits() - cost() ? Math.max(0, ends - now) : 0
                };
            }
            return now;
        }
    }

    /** Makes the calls. Returns null if nobody waits for the reply any more. */
    @Nullable
    Reply make(Line line) throws SQLException {
        List<Group> usual = usual();
        long now = usual.isEmpty() ? 0 : usual.size() == 1 ? takeOne(line, usual.get(0)) : take(line, usual);
        List<Group> left = groups.stream().filter(group -> group.told == null).toList();
        while (!left.isEmpty() && left.get(0).told == null) {
            if (batch.isAbandoned()) {
                return null;
            }
            now = decide(line, left);
        }
        Reply reply = new Reply();
        reply.add(now);
        for (Group group : groups) {
            for (long number : requireNonNull(group.told)) {
                reply.add(number);
            }
            if (requireNonNull(group.told)[0] < 0) {
                reply.add(Batch.CALENDAR_IS_OVER, Meaning.REQUEST);
            }
        }
        return reply;
    }

    /** The groups for "take": those that share no counter with another one, which has to come before or after them. */
    private List<Group> usual() {
        if (groups.size() == 1) {
            return groups.get(0).isUsual() ? groups : List.of();
        }
        Set<Counter> met = new HashSet<>();
        Set<Counter> again = new HashSet<>();
        groups.forEach(group -> Arrays.stream(group.counters)
                .filter(counter -> !met.add(counter))
                .forEach(again::add));
        return groups.stream()
                .filter(group -> group.isUsual() && !again.contains(group.counter()))
                .sorted(Comparator.comparing(Group::counter, Group.ORDER))
                .toList();
    }

    private static long takeOne(Line line, Group group) throws SQLException {
        PreparedStatement call = line.takeOne();
        call.setObject(1, key(group.counter()));
        call.setLong(2, group.amount());
        call.setLong(3, group.rejectedCost());
        call.setLong(4, group.permits());
        call.setLong(5, group.span());
        try (ResultSet row = call.executeQuery()) {
            row.next();
            if (row.getArray(3) == null) {
                return 0;
            }
            Long[] told = (Long[]) row.getArray(3).getArray();
            return group.hear(told[0], told[1], told[2], told[3]);
        }
    }

    private static long take(Line line, List<Group> sorted) throws SQLException {
        PreparedStatement call = line.take();
        setArray(call, 1, sorted, group -> key(group.counter()));
        setArray(call, 2, sorted, Group::amount);
        setArray(call, 3, sorted, Group::rejectedCost);
        setArray(call, 4, sorted, Group::permits);
        setArray(call, 5, sorted, Group::span);
        long now = 0;
        try (ResultSet row = call.executeQuery()) {
            while (row.next()) {
                Group group = sorted.get(row.getInt(1) - 1);
                now = group.hear(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
            }
        }
        return now;
    }

    /** Asks "decide". Returns the server's time, and has told the groups; or nothing, as a counter had no row before. */
    private static long decide(Line line, List<Group> asked) throws SQLException {
        Counter[] counters = asked.stream()
                .flatMap(group -> Arrays.stream(group.counters))
                .distinct()
                .sorted(Group.ORDER)
                .toArray(Counter[]::new);
        List<Object> args = new ArrayList<>();
        for (int from = 0; from < asked.size(); ) {
            long[] numbers = asked.get(from).asked;
            int end = from + 1;
            while (end < asked.size() && Arrays.equals(asked.get(end).asked, numbers)) {
                end++;
            }
            args.add(end - from);
            for (long number : numbers) {
                args.add(number);
            }
            for (; from < end; from++) {
                for (Counter counter : asked.get(from).counters) {
                    args.add(1 + Arrays.binarySearch(counters, counter, Group.ORDER));
                }
            }
        }
        PreparedStatement call = line.decide();
        setArray(call, 1, List.of(counters), FunctionCall::key);
        setArray(call, 2, args, number -> number);
        try (ResultSet row = call.executeQuery()) {
            row.next();
            if (row.getArray(3) == null) {
                return 0;
            }
            Long[] told = (Long[]) row.getArray(3).getArray();
            int at = 1;
            for (Group group : asked) {
                int end = told[at] < 0 ? at + 1 : at + 1 + 3 * group.counters.length;
                group.told =
                        Arrays.stream(told, at, end).mapToLong(Long::longValue).toArray();
                at = end;
            }
            return told[0];
        }
    }

    private static <T> void setArray(PreparedStatement call, int argument, List<T> of, Function<T, Object> element)
            throws SQLException {
        StringBuilder text = new StringBuilder(16 * of.size());
        for (T each : of) {
            text.append(text.isEmpty() ? '{' : ',').append(element.apply(each));
        }
        call.setObject(argument, text.isEmpty() ? "{}" : text.append('}').toString(), Types.OTHER);
    }

    /** The primary key of a counter's row. */
    static UUID key(Counter counter) {
        return new UUID(counter.high(), counter.low());
    }
}
