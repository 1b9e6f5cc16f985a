package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** An honest visitor: reads pages and lists, and talks to the widget, about once a second. */
final class Visitor implements Attack {
    private static final long SLOWEST_NANOS = 2_000_000_000L;
    private static final long PAUSE_NANOS = 800_000_000L;
    private static final int DIFFERENT_PAUSES = 8;

    private static final List<String> PAGES = List.of(
            "/",
            "/index.php?rest_route=/cms/v2/posts",
            "/?paged=2",
            "/index.php?rest_route=/cms/v2/pages",
            "/index.php?rest_route=/");

    private final URI base;
    private final String from;
    private final int number;
    private final TimeSource time;
    private final List<Long> took = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private int refused;
    private int failed;
    private long bytes;
    private String token = "";

    Visitor(URI base, String from, int number, TimeSource time) {
        this.base = base;
        this.from = from;
        this.number = number;
        this.time = time;
    }

    /** How visitors fared; times in milliseconds. */
    record Fate(int requests, double median, double p99, double slowest, int refused, int failed) {
        boolean isUnharmed() {
            return refused == 0 && failed == 0 && slowest * 1e6 <= SLOWEST_NANOS;
        }
    }

    static Fate together(List<Visitor> visitors) {
        List<Long> all = visitors.stream()
                .flatMap(visitor -> visitor.took.stream())
                .sorted()
                .toList();
        int last = all.size() - 1;
        return new Fate(
                all.size(),
                last < 0 ? 0 : all.get(last / 2) / 1e6,
                last < 0 ? 0 : all.get(last * 99 / 100) / 1e6,
                last < 0 ? 0 : all.get(last) / 1e6,
                visitors.stream().mapToInt(visitor -> visitor.refused).sum(),
                visitors.stream().mapToInt(visitor -> visitor.failed).sum());
    }

    void forget() {
        took.clear();
        complaints.clear();
        refused = 0;
        failed = 0;
    }

    Stream<String> complaints() {
        return complaints.stream();
    }

    @Override
    public String name() {
        return from;
    }

    @Override
    public long requests() {
        return took.size();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean isMade() {
        return !took.isEmpty();
    }

    @Override
    public String answers() {
        return took.size() + " requests";
    }

    @Override
    public void until(BooleanSupplier isOver) {
        for (int turn = number; !isOver.getAsBoolean(); ) {
            try (RawConnection connection = new RawConnection(base.toString(), from, 0)) {
                while (!isOver.getAsBoolean()) {
                    visit(connection, turn++);
                    LockSupport.parkNanos(PAUSE_NANOS + PAUSE_NANOS * (turn % DIFFERENT_PAUSES) / DIFFERENT_PAUSES);
                }
            } catch (UncheckedIOException e) {
                failed++;
                complaints.add("no answer: " + e);
            }
        }
    }

    private void visit(RawConnection connection, int turn) {
        if (token.isEmpty()) {
            Answer begun = ask(connection, "POST", "/api/v1/widget/init", "{}");
            token = begun.status() == 200 ? begun.json().path("token").asString() : "";
        } else if (turn % 3 == 0) {
            ask(connection, "POST", "/api/v1/widget/messages", "{\"text\":\"When are you open?\"}");
        } else {
            ask(connection, "GET", PAGES.get(turn % PAGES.size()), "");
        }
    }

    private Answer ask(RawConnection connection, String method, String path, String body) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\n"
                + (token.isEmpty() || !path.startsWith("/api") ? "" : "Authorization: Bearer " + token + "\r\n")
                + (body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n")
                + "\r\n";
        bytes += head.length() + body.length();
        long start = time.nanoTime();
        Answer reply = connection.send((head + body).getBytes(StandardCharsets.US_ASCII));
        long nanos = time.nanoTime() - start;
        took.add(nanos);
        boolean isRefused = reply.status() == 429 || reply.status() == 503;
        refused += isRefused ? 1 : 0;
        failed += reply.status() >= 400 && !isRefused && reply.status() != 404 ? 1 : 0;
        if (nanos > SLOWEST_NANOS || (reply.status() >= 400 && reply.status() != 404)) {
            complaints.add(method + " " + path + ": " + reply.status() + " after " + nanos / 1_000_000 + " ms");
        }
        return reply;
    }
}
