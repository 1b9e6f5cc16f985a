package io.github.ratelimit.remote;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes take permits ahead from one server that counts naively, while answers are late, lost or out of order and processes stand still. */
class PermitsAheadTest {

    private static final long TIMEOUT = Duration.ofMillis(100).toNanos();
    private static final Duration WINDOW = Duration.ofMillis(300);
    private static final LongAdder SERVED = new LongAdder(); // in some interleavings none
    private static final Counter[] COUNTERS = {new Counter(1, 1, 0)};

    private final Store store = InProcessStore.create();
    private final Clock clock = new Clock();
    private Limit limit = Limit.of("default", 4_000, WINDOW);
    private List<Charge> charges = List.of(new Charge("api", limit, Key.of("hot"), 2));

    private static final class Clock implements TimeSource {

        private long nanos = 1_000_000_000_000L;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(0, nanos);
        }

        void advance(Duration by) {
            nanos += by.toNanos();
        }
    }

    /** One window at a time, opened by its first request. */
    private final class NaiveServer {

        private long used;
        private long end;

        private boolean isOpen() {
            return used > 0 && end - clock.nanoTime() > 0;
        }

        /** Takes each request whole, or not. */
        Request.Answer take(long times) {
            if (!isOpen()) {
                used = 0;
                end = clock.nanoTime() + WINDOW.toNanos();
            }
            long granted = Math.min(times, (limit.permits() - used) / 2);
            used += 2 * granted;
            long rest = end - clock.nanoTime();
            LimitStatus status =
                    new LimitStatus(charges.get(0), used, rest, end / 1_000_000, granted < times ? rest : 0, end);
            return new Request.Answer(granted > 0, List.of(status), granted);
        }

        void giveBack(Request request) {
            LimitStatus from = request.from(0);
            if (isOpen() && from != null && from.window() == end) {
                used = Math.max(0, used + request.cost(0));
            }
        }
    }

    private final class Node {

        private final List<Request> onTheWay = new ArrayList<>();
        private final Map<Request, Request.Answer> answers = new HashMap<>();
        private final PermitsAhead ahead = new PermitsAhead(Set.of("api"), onTheWay::add, TIMEOUT, clock);

        private @Nullable Decision ask() {
            return ahead.decision(store, charges, COUNTERS);
        }

        void cameTogether(Request.Answer last) {
            ahead.cameTogether(Request.of(Operation.TAKE, charges, COUNTERS, null, 0), last);
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, Boolean.getBoolean("full") ? 3_000 : 200);
    }

    @AfterAll
    static void requireServed() {
        assertThat(SERVED.sum()).as("decided by permits ahead").isPositive();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noWindowGrantsOneTooManyHoweverCallsAndAnswersInterleave(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        limit = limit.withPermits(seed % 2 == 0 ? 4_000 : 400_000); // some windows are used up, others end before
        charges = List.of(new Charge("api", limit, Key.of("hot"), 2));
        NaiveServer server = new NaiveServer();
        List<Node> nodes =
                IntStream.range(0, 1 + seed % 4).mapToObj(i -> new Node()).toList();
        Map<Long, Long> granted = new HashMap<>();
        long served = 0;
        for (int step = 0; step < 5_000; step++) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            switch (random.nextInt(10)) {
                case 0 ->
                    clock.advance(Duration.ofNanos(random.nextLong(random.nextInt(50) == 0 ? 200_000_000 : 3_000_000)));
                case 1 -> node.ahead.sweep();
                case 2 -> node.onTheWay.stream().findAny().ifPresent(request -> arrive(request, node, server));
                case 3 -> node.answers.keySet().stream().findAny().ifPresent(request -> end(request, node, random));
                case 4 -> {
                    if (random.nextInt(40) == 0) {
                        node.ahead.end(COUNTERS);
                    }
                }
                default -> {
                    for (int i = random.nextInt(40); i >= 0; i--) {
                        Decision known = node.ask();
                        if (known != null) {
                            granted.merge(known.statuses().get(0).window(), 2L, Long::sum);
                            served++;
                            assertThat(server.end - clock.nanoTime())
                                    .as("of an open window")
                                    .isPositive();
                            continue;
                        }
                        Request.Answer answer = server.take(1);
                        if (answer.allowed()) {
                            granted.merge(answer.states().get(0).window(), 2L, Long::sum);
                            if (i > 2) {
                                node.cameTogether(answer);
                            }
                        }
                    }
                }
            }
            assertThat(granted.getOrDefault(server.end, 0L)).isLessThanOrEqualTo(limit.permits());
        }
        assertThat(granted.values()).allMatch(all -> all <= limit.permits());
        SERVED.add(served);
    }

    private static void arrive(Request request, Node node, NaiveServer server) {
        node.onTheWay.remove(request);
        if (request.operation() == Operation.SETTLE) {
            server.giveBack(request);
        } else {
            node.answers.put(request, server.take(request.times()));
        }
    }

    private static void end(Request request, Node node, SplittableRandom random) {
        Request.Answer answer = requireNonNull(node.answers.remove(request));
        if (random.nextInt(8) == 0) {
            request.fail(new UnansweredException("lost"));
        } else {
            request.answer(answer);
        }
    }

    private Node hotNode(NaiveServer server) {
        Node node = new Node();
        node.cameTogether(server.take(1));
        for (int i = 0; i < 40; i++) {
            assertThat(node.ask()).isNull();
        }
        clock.advance(Duration.ofMillis(1));
        assertThat(node.ask()).isNull();
        Request ahead = node.onTheWay.get(0);
        arrive(ahead, node, server);
        end(ahead, node, new SplittableRandom(1));
        return node;
    }

    @Test
    void remainingGoesDownOneByOneAndWhatIsLeftComesBackAfterFiftyMilliseconds() {
        NaiveServer server = new NaiveServer();
        Node node = hotNode(server);
        long used = server.used;
        long first = remaining(node);
        assertThat(remaining(node)).isEqualTo(first - 2);
        assertThat(remaining(node)).isEqualTo(first - 4);

        clock.advance(Duration.ofMillis(50));
        assertThat(node.ask()).isNull();
        node.ahead.sweep();
        node.onTheWay.stream()
                .filter(request -> request.operation() == Operation.SETTLE)
                .toList()
                .forEach(request -> arrive(request, node, server));
        StoreStatistics.Ahead work = node.ahead.statistics();
        assertThat(work.served()).isEqualTo(3);
        assertThat(work.givenBack()).isEqualTo(work.granted() - 3);
        assertThat(server.used).isEqualTo(used - 2 * work.givenBack());
    }

    private static long remaining(Node node) {
        Decision decision = node.ask();
        assertThat(decision).isNotNull();
        return decision.statuses().get(0).remaining();
    }

    @Test
    void settlementEndsALeaseAtOnce() {
        Node node = hotNode(new NaiveServer());
        assertThat(node.ask()).isNotNull();
        node.ahead.end(COUNTERS);
        assertThat(node.ask()).isNull();
    }

    @Test
    void settlementEndsALeaseThatIsOnItsWay() {
        NaiveServer server = new NaiveServer();
        Node node = new Node();
        node.cameTogether(server.take(1));
        clock.advance(Duration.ofMillis(1));
        for (int i = 0; i < 40; i++) {
            node.ask();
        }
        clock.advance(Duration.ofMillis(1));
        node.ask();
        Request ahead = node.onTheWay.get(0);
        arrive(ahead, node, server);
        node.ahead.end(COUNTERS);
        end(ahead, node, new SplittableRandom(1));
        assertThat(node.ask()).isNull();
        assertThat(node.ahead.statistics().givenBack())
                .isEqualTo(node.ahead.statistics().granted())
                .isPositive();
    }

    @Test
    void windowThatWasUsedUpEndsNoLeaseOfTheNextOne() {
        NaiveServer server = new NaiveServer();
        Node node = hotNode(server);
        server.used = limit.permits();
        clock.advance(Duration.ofMillis(50));
        askForMore(node, server); // nothing is left

        clock.advance(WINDOW);
        node.cameTogether(server.take(1));
        askForMore(node, server);
        assertThat(node.ask()).isNotNull();
    }

    private void askForMore(Node node, NaiveServer server) {
        for (int i = 0; i < 200; i++) {
            node.ask();
        }
        clock.advance(Duration.ofMillis(5));
        node.ask();
        for (Request request : List.copyOf(node.onTheWay)) {
            arrive(request, node, server);
        }
        for (Request request : List.copyOf(node.answers.keySet())) {
            request.answer(requireNonNull(node.answers.remove(request)));
        }
    }

    @Test
    void anotherLimitOrCostAsksTheServer() {
        Node node = hotNode(new NaiveServer());
        for (Charge other : List.of(
                charges.get(0).withCost(1), new Charge("api", Limit.of("default", 3_000, WINDOW), Key.of("hot"), 2))) {
            assertThat(node.ahead.decision(store, List.of(other), COUNTERS)).isNull();
        }
        assertThat(node.ask()).isNotNull();
    }
}
