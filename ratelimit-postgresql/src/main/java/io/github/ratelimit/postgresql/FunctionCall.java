package io.github.ratelimit.postgresql;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of functions that carry a batch: "take" for requests on one window, and "decide" for all others and those that "take" leaves. Calls
 * have each counter once, in the order in which rows are locked. Made on the engine's thread, then used by the one that makes the calls.
 */
final class FunctionCall {

    private final Batch batch;
    private final List<RequestGroup> groups = new ArrayList<>(2);

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
                end += RequestGroup.length(numbers[at + 3], numbers[end + 3]);
            }
            long[] asked = Arrays.copyOfRange(numbers, at + 1, end);
            for (long left = numbers[at]; left > 0; left--) {
                Counter[] own = new Counter[size];
                Arrays.setAll(own, i -> next.next());
                groups.add(new RequestGroup(own, asked));
            }
            at = end;
        }
    }

    /** Makes the calls. Returns null if nobody waits for the reply any more. */
    @Nullable
    Reply make(Line line) throws SQLException {
        List<RequestGroup.Part> usual = usual();
        long now = usual.isEmpty() ? 0 : usual.size() == 1 ? takeOne(line, usual.get(0)) : take(line, usual);
        List<RequestGroup> left =
                groups.stream().filter(RequestGroup::isUndecided).toList();
        while (!left.isEmpty() && left.get(0).isUndecided()) {
            if (batch.isAbandoned()) {
                return null;
            }
            now = decide(line, left);
        }
        Reply reply = new Reply();
        reply.add(now);
        for (RequestGroup group : groups) {
            for (long number : group.result()) {
                reply.add(number);
            }
            if (group.result()[0] < 0) {
                reply.add(Batch.CALENDAR_IS_OVER, Meaning.REQUEST);
            }
        }
        return reply;
    }

    /** What "take" is asked: the groups that share no counter with another one, which has to come before or after them. */
    private List<RequestGroup.Part> usual() {
        Set<Counter> met = new HashSet<>();
        Set<Counter> again = new HashSet<>();
        groups.forEach(group -> Arrays.stream(group.counters)
                .filter(counter -> !met.add(counter))
                .forEach(again::add));
        return groups.stream()
                .filter(group ->
                        group.isUsual() && Arrays.stream(group.counters).noneMatch(again::contains))
                .flatMap(group -> Arrays.stream(group.parts))
                .sorted(Comparator.comparing(RequestGroup.Part::name, RequestGroup.ORDER))
                .toList();
    }

    private static long takeOne(Line line, RequestGroup.Part part) throws SQLException {
        PreparedStatement call = line.takeOne();
        call.setObject(1, key(part.name()));
        call.setLong(2, part.amount());
        call.setLong(3, part.rejectedCost());
        call.setLong(4, part.permits());
        call.setLong(5, part.span());
        try (ResultSet row = call.executeQuery()) {
            row.next();
            if (row.getArray(3) == null) {
                return 0;
            }
            Long[] figures = (Long[]) row.getArray(3).getArray();
            return part.taken(figures[0], figures[1], figures[2], figures[3]);
        }
    }

    private static long take(Line line, List<RequestGroup.Part> sorted) throws SQLException {
        boolean isSeveral = sorted.stream().anyMatch(part -> part.group().counters.length > 1);
        PreparedStatement call = isSeveral ? line.takeSeveral() : line.take();
        int at = 1;
        setArray(call, at++, sorted, part -> key(part.name()));
        if (isSeveral) {
            Map<RequestGroup, Integer> owners = new HashMap<>();
            setArray(call, at++, sorted, part -> owners.computeIfAbsent(part.group(), group -> owners.size()));
            setArray(call, at++, sorted, part -> part.group().counters.length);
        }
        setArray(call, at++, sorted, RequestGroup.Part::amount);
        setArray(call, at++, sorted, RequestGroup.Part::rejectedCost);
        setArray(call, at++, sorted, RequestGroup.Part::permits);
        setArray(call, at, sorted, RequestGroup.Part::span);
        long now = 0;
        try (ResultSet row = call.executeQuery()) {
            while (row.next()) {
                RequestGroup.Part part = sorted.get(row.getInt(1) - 1);
                now = part.taken(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
            }
        }
        return now;
    }

    /** Asks "decide". Returns the server's time, and the groups have their results; or 0, as a counter had no row before. */
    private static long decide(Line line, List<RequestGroup> asked) throws SQLException {
        Counter[] counters = asked.stream()
                .flatMap(group -> Arrays.stream(group.counters))
                .distinct()
                .sorted(RequestGroup.ORDER)
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
                    args.add(1 + Arrays.binarySearch(counters, counter, RequestGroup.ORDER));
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
            Long[] figures = (Long[]) row.getArray(3).getArray();
            int at = 1;
            for (RequestGroup group : asked) {
                int end = figures[at] < 0 ? at + 1 : at + 1 + 3 * group.counters.length;
                group.decided(Arrays.stream(figures, at, end)
                        .mapToLong(Long::longValue)
                        .toArray());
                at = end;
            }
            return figures[0];
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
