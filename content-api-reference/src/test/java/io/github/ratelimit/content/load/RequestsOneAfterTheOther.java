package io.github.ratelimit.content.load;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Sends a request as soon as the one before is answered, or nearly: whoever attacks takes none of the server's processor time for it. */
final class RequestsOneAfterTheOther implements Attack {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final Answer NOTHING =
            new Answer(0, () -> HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0]);

    private final String name;
    private final URI base;
    private final String from;
    private final Next next;
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private long bytes;

    /** What is sent next. */
    interface Next {
        /**
         * Makes a request.
         *
         * @param number 1 for the first one
         * @param last what the one before it was answered; 0 and nothing for the first one, and where the server ended the connection
         */
        byte[] after(int number, Answer last);
    }

    RequestsOneAfterTheOther(String name, URI base, String from, Next next) {
        this.name = name;
        this.base = base;
        this.from = from;
        this.next = next;
    }

    @Override
    public void until(BooleanSupplier isOver) {
        int number = 0;
        while (!isOver.getAsBoolean()) {
            Answer last = NOTHING;
            try (RawConnection connection = new RawConnection(base.toString(), from, 0)) {
                while (!isOver.getAsBoolean()) {
                    byte[] request = next.after(++number, last);
                    bytes += request.length;
                    last = connection.send(request);
                    statuses.merge(last.status(), 1, Integer::sum);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (UncheckedIOException closed) {
                statuses.merge(0, 1, Integer::sum);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long requests() {
        return statuses.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean isMade() {
        return statuses.keySet().stream().anyMatch(status -> status != 0);
    }

    @Override
    public String answers() {
        return statuses.toString();
    }

    /** How often there was which status; 0 where the server ended the connection. */
    Map<Integer, Integer> statuses() {
        return statuses;
    }
}
