package io.github.ratelimit;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A week of many clients with three limits each, beside a model of plain arrays that keeps everything. 20,000 clients here;
 * {@code -Dfull} has 200,000.
 */
@Tag("load")
@Timeout(3600)
class MillionClientsTest {

    private static final int CLIENTS = Boolean.getBoolean("full") ? 200_000 : 20_000;
    private static final int DAYS = 7;
    private static final int STEPS = 48; // of each day: half an hour

    private static final Limit DAILY = Limit.of("daily", 5, Duration.ofDays(1));
    private static final Limit MINUTELY = Limit.of("minutely", 60, Duration.ofMinutes(1));
    private static final Limit HOURLY = Limit.of("hourly", 1000, Duration.ofHours(1));
    private static final List<Limit> LIMITS = List.of(DAILY, MINUTELY, HOURLY);

    private final TestClock clock = new TestClock();
    private final Model model = new Model();

    /** What each client has used of each limit and until when, in arrays that evict nothing. */
    private static final class Model {

        private final int[][] used = new int[LIMITS.size()][CLIENTS];
        private final long[][] end = new long[LIMITS.size()][CLIENTS];
        private final boolean[][] begun = new boolean[LIMITS.size()][CLIENTS];

        int used(int limit, int client, long now) {
            boolean open = begun[limit][client] && end[limit][client] - now > 0;
            return open ? used[limit][client] : 0;
        }

        /** Counts the request if it is granted; tells whether all limits admit it. */
        boolean admits(int client, long now) {
            boolean admits = true;
            for (int limit = 0; limit < LIMITS.size(); limit++) {
                admits &= used(limit, client, now) < LIMITS.get(limit).permits();
            }
            return admits;
        }

        void count(int client, long now) {
            for (int limit = 0; limit < LIMITS.size(); limit++) {
                if (!begun[limit][client] || end[limit][client] - now <= 0) {
                    begun[limit][client] = true;
                    used[limit][client] = 0;
                    end[limit][client] = now + LIMITS.get(limit).window().toNanos();
                }
                used[limit][client]++;
            }
        }
    }

    private static List<Charge> charges(int client) {
        Key key = Key.of("client-" + client);
        return List.of(new Charge("api", DAILY, key), new Charge("api", MINUTELY, key), new Charge("api", HOURLY, key));
    }

    /**
     * What came of a week.
     *
     * @param wronglyRejected rejected though it had not been granted its five permits within the last day
     * @param differing rejected though the model admits it: of a evicted window, which the model still counts from its beginning
     * @param overGranted granted though the model rejects it
     * @param waitedInVain rejected though it waited as long as it was told
     */
    private record Week(
            long requests, long granted, long wronglyRejected, long differing, long overGranted, long waitedInVain) {}

    /** Each client sends about four requests a day, some a few more than they may; who is rejected comes back when told. */
    private Week week(InProcessStore store) {
        long requests = 0;
        long granted = 0;
        long wronglyRejected = 0;
        long differing = 0;
        long overGranted = 0;
        long waitedInVain = 0;
        long[] comesBack = new long[CLIENTS];
        long[] grants = new long[CLIENTS * 5]; // of each client the last five
        int[] count = new int[CLIENTS];
        boolean[] waits = new boolean[CLIENTS];
        SplittableRandom random = new SplittableRandom(8);
        for (int step = 0; step < DAYS * STEPS; step++) {
            int most = CLIENTS / 10;
            for (int i = 0; i < most; i++) {
                int client = random.nextInt(CLIENTS);
                client = i % 4 == 0 ? client / 10 : client; // a tenth of them sends more than it may
                long now = clock.nanoTime();
                boolean back = waits[client] && comesBack[client] - now <= 0;
                boolean admits = model.admits(client, now);
                Decision decision = store.tryAcquire(charges(client));
                requests++;
                if (decision.allowed()) {
                    granted++;
                    overGranted += admits ? 0 : 1;
                    model.count(client, now);
                    grants[client * 5 + count[client]++ % 5] = now;
                    waits[client] = false;
                } else {
                    differing += admits ? 1 : 0;
                    long fifthLast = grants[client * 5 + count[client] % 5];
                    boolean hadItsPermits = count[client] >= 5
                            && now - fifthLast < DAILY.window().toNanos();
                    wronglyRejected += hadItsPermits ? 0 : 1;
                    waitedInVain += back ? 1 : 0;
                    waits[client] = true;
                    comesBack[client] =
                            now + decision.retryAfter().orElseThrow().toNanos();
                }
            }
            clock.advance(Duration.ofMinutes(24 * 60 / STEPS));
        }
        return new Week(requests, granted, wronglyRejected, differing, overGranted, waitedInVain);
    }

    @Test
    void whileTheStoreIsNotFullEverythingIsAsInTheModel() {
        InProcessStore store = InProcessStore.create(clock);
        Week week = week(store);
        System.out.printf("default size, %d clients: %s, evicted %d%n", CLIENTS, week, store.evicted());
        assertThat(week.granted()).isGreaterThan(CLIENTS * 10L);
        assertThat(week.requests() - week.granted()).isPositive();
        assertThat(week.wronglyRejected()).isZero();
        assertThat(week.differing()).isZero();
        assertThat(week.overGranted()).isZero();
        assertThat(week.waitedInVain()).isZero();
        assertThat(store.evicted()).isZero();
    }

    /** Too small a store evicts: it may grant too much, as much as it says; it never rejects anybody for somebody else. */
    @Test
    void whatAFullStoreGrantsTooMuchIsWhatItEvicted() {
        InProcessStore store = InProcessStore.builder()
                .time(clock)
                .maximumCounters(Math.max(1024, CLIENTS / 2))
                .build();
        Week week = week(store);
        System.out.printf("half a counter a client, %d clients: %s, evicted %d%n", CLIENTS, week, store.evicted());
        assertThat(week.wronglyRejected()).isZero();
        assertThat(week.waitedInVain()).isZero();
        assertThat(store.evicted()).isPositive();
        assertThat(week.overGranted())
                .as("a evicted window grants its permits at most once more")
                .isLessThanOrEqualTo(store.evicted() * DAILY.permits());
    }

    /** The figure that is metered is the number of windows that are missing: nothing ends here, so each can be looked for. */
    @Test
    void figureOfEvictedWindowsIsThatOfTheMissingOnes() {
        int clients = CLIENTS / 2;
        InProcessStore store = InProcessStore.builder()
                .time(clock)
                .maximumCounters(Math.max(1024, clients))
                .build();
        for (int client = 0; client < clients; client++) {
            assertThat(store.tryAcquire(charges(client)).allowed()).isTrue();
        }
        long there = 0;
        for (int client = 0; client < clients; client++) {
            for (LimitStatus status :
                    store.tryAcquire(costing(charges(client), 0)).statuses()) {
                there += status.remaining() < status.limit().permits() ? 1 : 0;
            }
        }
        assertThat(there).isEqualTo(store.counters());
        assertThat(store.evicted()).isEqualTo(3L * clients - there).isPositive();
    }
}
