package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.RawConnection;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks for light things all the time, signed in and not, and measures how long each takes. Belongs to one thread at a time. */
final class LightReader {
    private static final long PAUSE_NANOS = 20_000_000;

    private final URI base;
    private final String from;
    private final TimeSource time;
    private final List<Asked> took = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<byte[]> requests;
    private int turn;

    /** What was asked for, and how long it took. */
    record Asked(String what, long nanos) {
        double millis() {
            return nanos / 1e6;
        }
    }

    /**
     * Makes a reader who has asked for nothing yet.
     *
     * @param post a short one that is published
     */
    LightReader(URI base, String from, TimeSource time, long post) {
        this.base = base;
        this.from = from;
        this.time = time;
        requests = List.of(
                request("GET", "/?p=" + post, "", ""),
                request("GET", "/index.php?rest_route=/cms/v2/posts/" + post, "", ""),
                request("GET", "/actuator/health/liveness", "", ""),
                request("GET", "/index.php?rest_route=/cms/v2/categories", "", ""),
                request("POST", "/api/v1/widget/typing", "Content-Type: application/json\r\n", "{}"),
                request(
                        "GET",
                        "/index.php?rest_route=/cms/v2/users/me",
                        "Authorization: "
                                + Accounts.standard().get("subscriber").basic() + "\r\n",
                        ""));
    }

    private byte[] request(String method, String path, String field, String body) {
        return (method + " " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\n" + field + "Content-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads until it is over, whatever happens. */
    void until(BooleanSupplier isOver) {
        until(isOver, PAUSE_NANOS);
    }

    private void until(BooleanSupplier isOver, long pauseNanos) {
        while (!isOver.getAsBoolean()) {
            try (RawConnection connection = new RawConnection(base.toString(), from, 0)) {
                while (!isOver.getAsBoolean()) {
                    ask(connection, requests.get(turn++ % requests.size()));
                    LockSupport.parkNanos(pauseNanos);
                }
            } catch (UncheckedIOException e) {
                complaints.add("no answer: " + e);
            }
        }
    }

    /** Asks for each thing as often, without a pause. */
    void rounds(int rounds) {
        int last = turn + rounds * requests.size();
        until(() -> turn >= last, 0);
    }

    private void ask(RawConnection connection, byte[] request) {
        String line = new String(request, StandardCharsets.US_ASCII);
        String what = line.substring(0, line.indexOf(" HTTP"));
        long start = time.nanoTime();
        int status = connection.send(request).status();
        took.add(new Asked(what, time.nanoTime() - start));
        if (status / 100 != 2) {
            complaints.add(what + ": " + status);
        }
    }

    /** What was not answered, or by an error. */
    List<String> complaints() {
        return complaints;
    }

    /** All that was asked for, the quickest first. */
    static List<Asked> together(List<LightReader> readers) {
        return readers.stream()
                .flatMap(reader -> reader.took.stream())
                .sorted(Comparator.comparingLong(Asked::nanos))
                .toList();
    }
}
