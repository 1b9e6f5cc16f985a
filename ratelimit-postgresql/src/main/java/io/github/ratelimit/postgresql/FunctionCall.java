package io.github.ratelimit.postgresql;

import io.github.ratelimit.remote.Batch;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.Reply;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of the function that carries a batch. It has each counter once, in the order in which rows are locked. Its numbers name a counter by
 * its place. Made on the engine's thread, then used by another one.
 */
final class FunctionCall {

    /** As PostgreSQL sorts a uuid. */
    private static final Comparator<Counter> ORDER = Comparator.comparing(Counter::high, Long::compareUnsigned)
            .thenComparing(Counter::low, Long::compareUnsigned);

    private final Batch batch;
    private final List<Object> arguments = new ArrayList<>(16); // numbers and counters

    FunctionCall(Batch batch) {
        this.batch = batch;
        batch.writeTo(arguments::add, arguments::add);
    }

    Batch batch() {
        return batch;
    }

    /** Makes the call once. Returns null if it is to be made again, because a counter had no row before. */
    @Nullable
    Reply make(PreparedStatement decide) throws SQLException {
        Counter[] counters = arguments.stream()
                .filter(Counter.class::isInstance)
                .map(Counter.class::cast)
                .distinct()
                .sorted(ORDER)
                .toArray(Counter[]::new);
        StringBuilder keys = new StringBuilder();
        for (Counter counter : counters) {
            keys.append(keys.isEmpty() ? '{' : ',').append(key(counter));
        }
        StringBuilder args = new StringBuilder();
        for (Object each : arguments) {
            args.append(args.isEmpty() ? '{' : ',')
                    .append(each instanceof Counter counter ? 1 + Arrays.binarySearch(counters, counter, ORDER) : each);
        }
        decide.setObject(1, keys.append('}').toString(), Types.OTHER);
        decide.setObject(2, args.append('}').toString(), Types.OTHER);
        try (ResultSet row = decide.executeQuery()) {
            row.next();
            Array told = row.getArray(3);
            return told == null ? null : reply((Long[]) told.getArray());
        }
    }

    private static Reply reply(Long[] numbers) {
        Reply reply = new Reply();
        for (long number : numbers) {
            reply.add(number);
            if (number == -1) { // no other figure is that: a window's end is far from 1970
                reply.add(Batch.CALENDAR_IS_OVER, Meaning.REQUEST);
            }
        }
        return reply;
    }

    /** The primary key of a counter's row. */
    static UUID key(Counter counter) {
        return new UUID(counter.high(), counter.low());
    }
}
