package io.github.ratelimit.content.load;

import io.github.ratelimit.content.harness.RawConnection;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Sends a request as soon as the one before is answered, or nearly: whoever attacks takes none of the server's processor time for it. */
final class RequestsOneAfterTheOther implements Attack {
    private static final long PAUSE_NANOS = 20_000_000;

    private final String name;
    private final URI base;
    private final String from;
    private final IntFunction<byte[]> request;
    private final Map<Integer, Integer> statuses = new TreeMap<>();

    RequestsOneAfterTheOther(String name, URI base, String from, IntFunction<byte[]> request) {
        this.name = name;
        this.base = base;
        this.from = from;
        this.request = request;
    }

    @Override
    public void until(BooleanSupplier isOver) {
        int number = 0;
        while (!isOver.getAsBoolean()) {
            try (RawConnection connection = new RawConnection(base.toString(), from, 0)) {
                while (!isOver.getAsBoolean()) {
                    statuses.merge(connection.send(request.apply(++number)).status(), 1, Integer::sum);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (UncheckedIOException closed) {
                statuses.merge(0, 1, Integer::sum);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public String report() {
        return "%-45s %s".formatted(name, statuses);
    }
}
