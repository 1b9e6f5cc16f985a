package io.github.ratelimit.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.CalendarWindow.Unit;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import io.github.ratelimit.remote.StoreHealth.State;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One server, with a connection that answers when it is told to. */
@Timeout(60)
class ServerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Limit LIMIT = Limit.of(10, Duration.ofMinutes(1));

    private final ScheduledExecutorService engine = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "engine");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger clocksDiffer = new AtomicInteger();
    private final Queue<Batch> held = new ConcurrentLinkedQueue<>();
    private volatile Duration ahead = Duration.ZERO;
    private volatile boolean holds;
    private volatile boolean splits;
    private volatile boolean fails;

    @AfterEach
    void stop() {
        engine.shutdownNow();
    }

    private final Connection connection = new Connection() {
        @Override
        public void send(List<Batch> batches) {
            for (Batch batch : batches) {
                if (batch.firstCounter().group() < 0) {
                    answer(batch); // a probe
                } else if (fails) {
                    batch.fail(new UnansweredException(UnansweredException.Meaning.SERVER, "out of memory", null));
                } else if (holds) {
                    held.add(batch);
                } else if (splits && batch.groups() > 1) {
                    batch.split().forEach(ServerTest::answer);
                } else {
                    answer(batch);
                }
            }
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    };

    private static void answer(Batch batch) {
        long now = TimeSource.system().millis();
        Reply reply = new Reply();
        reply.add(now);
        for (int i = 0; i < batch.groups(); i++) {
            reply.add(1);
            reply.add(1);
            reply.add(now + 60_000);
            reply.add(0);
        }
        batch.answer(reply);
    }

    private final Server.Listener listener = new Server.Listener() {
        @Override
        public void stateChanged(Server server) {}

        @Override
        public Counter probed(Server server) {
            return new Counter(-1, 0, 0);
        }

        @Override
        public int partOf(Counter counter) {
            return 0;
        }

        @Override
        public void clocksDiffer(Server server, Instant here, Instant there) {
            clocksDiffer.incrementAndGet();
        }
    };

    private Server server(Supplier<CompletionStage<Connection>> connector) {
        TimeSource time = TimeSource.system();
        Server[] made = new Server[1];
        made[0] = new Server(
                "server",
                connector,
                new EngineSettings(
                        "Test",
                        System.getLogger(ServerTest.class.getName()),
                        () -> time.instant().plus(ahead),
                        engine,
                        () -> Thread.currentThread().getName().equals("engine"),
                        TIMEOUT.toNanos(),
                        100,
                        2,
                        new RememberedRejections(time, Duration.ZERO),
                        new OwedTickets(counter -> made[0], 10, TIMEOUT.toNanos()),
                        new PermitsAhead(Set.of(), request -> {}, TIMEOUT.toNanos(), time)),
                listener);
        return made[0];
    }

    private Server upServer() {
        Server server = server(() -> CompletableFuture.completedFuture(connection));
        server.open();
        awaitUp(server);
        return server;
    }

    private static void awaitUp(Server server) {
        while (server.state() != State.UP && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(server.state()).isEqualTo(State.UP);
    }

    private static Request request(int counter, Limit limit) {
        return Request.of(
                Operation.TAKE,
                List.of(new Charge("api", limit, Key.absent())),
                new Counter[] {new Counter(0, 0, counter)},
                null,
                TimeSource.system().nanoTime() + TIMEOUT.toNanos());
    }

    private static int groups(@Nullable CalendarWindow one, @Nullable CalendarWindow other) {
        Batch batch = new Batch(
                new ServerTest().server(() -> CompletableFuture.failedFuture(new IllegalStateException())), false);
        for (CalendarWindow window : new CalendarWindow[] {one, other}) {
            batch.add(request(1, window == null ? LIMIT : Limit.calendar("c", 10, window)));
        }
        return batch.groups();
    }

    /** As a resolver of anchors makes one for each request. */
    @Test
    void windowsOfTheSameCalendarAreDecidedTogether() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        LocalDate anchor = LocalDate.of(2026, 1, 31);
        CalendarWindow month = new CalendarWindow(Unit.MONTH, zone, anchor);
        assertThat(groups(month, new CalendarWindow(Unit.MONTH, ZoneId.of("Europe/Berlin"), LocalDate.of(2026, 1, 31))))
                .isEqualTo(1);
        assertThat(groups(month, new CalendarWindow(Unit.QUARTER, zone, anchor)))
                .isEqualTo(2);
        assertThat(groups(month, new CalendarWindow(Unit.MONTH, ZoneId.of("Europe/Paris"), anchor)))
                .isEqualTo(2);
        assertThat(groups(month, month.from(anchor.plusDays(1)))).isEqualTo(2);
        assertThat(groups(month, null)).isEqualTo(2);
        assertThat(groups(null, null)).isEqualTo(1);
    }

    @Test
    void errorOfTheClientIsAFailureToConnectAndTheNextAttemptFollows() {
        AtomicInteger attempts = new AtomicInteger();
        Server server = server(() -> {
            if (attempts.incrementAndGet() < 3) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return CompletableFuture.completedFuture(connection);
        });
        server.open();
        awaitUp(server);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void errorInATickIsFollowedByTheNextTick() throws Exception {
        AtomicInteger ticks = new AtomicInteger();
        Connection failing = new Connection() {
            @Override
            public void send(List<Batch> batches) {
                connection.send(batches);
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}

            @Override
            public void tick() {
                if (ticks.incrementAndGet() == 2) {
                    throw new OutOfMemoryError("no memory for a while");
                }
            }
        };
        server(() -> CompletableFuture.completedFuture(failing)).open();
        while (ticks.get() < 3 && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(ticks.get()).isGreaterThanOrEqualTo(3);
    }

    /** One that ended while it was made told nobody, and stayed for ever: Redis was up, and no probe arrived. */
    @Test
    void connectionThatLosesItsProbeIsReplaced() {
        Connection ended = new Connection() {
            @Override
            public void send(List<Batch> batches) {
                batches.forEach(batch ->
                        batch.fail(new UnansweredException(UnansweredException.Meaning.LOST, "not connected", null)));
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        AtomicInteger attempts = new AtomicInteger();
        Server server =
                server(() -> CompletableFuture.completedFuture(attempts.incrementAndGet() == 1 ? ended : connection));
        server.open();
        awaitUp(server);
        assertThat(attempts).hasValue(2);
    }

    /** As while a slot moves from one server to another. */
    @Test
    void splitBatchTakesNoLongerThanItTook() {
        Server server = upServer();
        splits = true;
        Request one = request(1, LIMIT);
        Request other = request(2, LIMIT);
        long begun = TimeSource.system().nanoTime();
        engine.execute(() -> {
            server.submit(one);
            server.submit(other);
        });
        CompletableFuture.allOf(one, other).join();
        long took = TimeSource.system().nanoTime() - begun;
        // and a probe meanwhile
        assertThat(server.statistics().traffic().callNanos()).isBetween(0L, 2 * took + TIMEOUT.toNanos());
    }

    private void decide(Server server) {
        Request request = request(1, LIMIT);
        server.submit(request);
        request.join();
    }

    /** One that fails now and then is asked on: each failure says what it is. */
    @Test
    void fiveFailuresInARowAreAnOutageAndFewerAreNone() {
        Server server = upServer();
        for (int i = 1; i <= 20; i++) {
            fails = i % 5 != 0;
            attempt(server);
            assertThat(server.state()).isEqualTo(State.UP);
        }
        fails = true;
        while (server.state() != State.DOWN && !Thread.currentThread().isInterrupted()) {
            attempt(server); // more than five, if a probe is answered between them
        }
    }

    /** A backend may break off a call that nobody waits for. */
    @Test
    void callsWhoseCallersGaveUpSayNothingOfTheServer() throws Exception {
        Server server = upServer();
        holds = true;
        for (int i = 0; i < 20; i++) {
            Request request = request(1, LIMIT);
            server.submit(request);
            while (held.isEmpty() && !request.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(request).as("sent, as the server is up").isNotDone();
            request.cancel(false);
            held.remove().fail(UnansweredException.late("Test"));
        }
    }

    private static void attempt(Server server) {
        Request request = request(1, LIMIT);
        server.submit(request);
        request.handle((answer, failure) -> answer).join();
    }

    /** The answer lay there until the process went on, or the machine woke up. */
    @Test
    void clockOfAMachineThatPausedDoesNotDiffer() throws Exception {
        Server server = upServer();
        holds = true;
        Request one = request(1, LIMIT);
        Request other = request(2, LIMIT);
        server.submit(one);
        server.submit(other);
        while (held.stream().mapToInt(Batch::requests).sum() < 2) {
            Thread.onSpinWait();
        }
        engine.submit(() -> {
                    ahead = Duration.ofMinutes(3); // the server has answered before the pause
                    held.forEach(ServerTest::answer);
                    ahead = Duration.ZERO;
                })
                .get(30, TimeUnit.SECONDS);
        CompletableFuture.allOf(one, other).join();
        holds = false;
        for (int i = 0; i < 5; i++) {
            decide(server);
        }
        assertThat(clocksDiffer).hasValue(0);
    }

    @Test
    void clockThatDiffersIsToldOnceUntilItIsSet() {
        Server server = upServer();
        for (int i = 1; i <= 2; i++) {
            ahead = Duration.ofMinutes(i * 2L);
            for (int k = 0; k < 5; k++) {
                decide(server);
            }
            assertThat(clocksDiffer).hasValue(i);
            ahead = Duration.ofSeconds(59);
            decide(server);
        }
    }
}
