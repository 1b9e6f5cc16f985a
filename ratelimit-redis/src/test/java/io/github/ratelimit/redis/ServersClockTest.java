package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Days and months end by the server's calendar, whatever this machine takes the date for. */
class ServersClockTest {

    private static final List<Charge> DAILY =
            List.of(new Charge("api", Limit.daily("daily", 1, ZoneOffset.UTC), Key.of("ann")));

    private static RedisProcess process;

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    /** A machine whose calendar is wrong, and can be set. */
    private static final class WrongClock implements TimeSource {

        private volatile Duration ahead;

        WrongClock(Duration ahead) {
            this.ahead = ahead;
        }

        @Override
        public long nanoTime() {
            return TimeSource.system().nanoTime();
        }

        @Override
        public Instant instant() {
            return TimeSource.system().instant().plus(ahead);
        }
    }

    private static RedisStore store(TimeSource clock, List<RedisWarning> warnings) {
        return RedisStore.builder()
                .uri(process.uri())
                .time(clock)
                .rememberRejections(Duration.ZERO)
                .timeout(Duration.ofSeconds(30))
                .onWarning(warnings::add)
                .build();
    }

    private static Instant nextMidnight() {
        return LocalDate.ofInstant(TimeSource.system().instant(), ZoneOffset.UTC)
                .plusDays(1)
                .atStartOfDay()
                .toInstant(ZoneOffset.UTC);
    }

    private static void assertOneADay(RedisStore store) {
        store.resetAsync(DAILY).join();
        for (int i = 0; i < 30; i++) {
            Instant before = nextMidnight();
            LimitStatus status = store.tryAcquire(DAILY).statuses().get(0);
            assertThat(status.retryAfter().orElseThrow().isZero()).isEqualTo(i == 0);
            assertThat(status.resetAt()).isBetween(before, nextMidnight());
        }
    }

    /** Thirty hours behind, 30 of 30 requests passed; thirty ahead, the day lasted until the midnight after the next. */
    @ParameterizedTest
    @ValueSource(ints = {-800, -30, 0, 30, 800})
    void dayEndsByTheServersCalendar(int hoursAhead) {
        List<RedisWarning> warnings = new CopyOnWriteArrayList<>();
        try (RedisStore store = store(new WrongClock(Duration.ofHours(hoursAhead)), warnings)) {
            assertOneADay(store);
            if (hoursAhead == 0) {
                assertThat(warnings).isEmpty();
            } else {
                assertThat(warnings)
                        .singleElement()
                        .returns(RedisWarning.Kind.CLOCKS_DIFFER, RedisWarning::kind)
                        .extracting(RedisWarning::message)
                        .asString()
                        .matches("it is .*Z here and .*Z on Redis \\(127.0.0.1:\\d+\\), whose clock decides: .*");
            }
        }
    }

    /** What was decided reaches its caller. */
    @Test
    void listenerToWarningsThatFailsFailsNoDecision() {
        AtomicInteger warned = new AtomicInteger();
        RedisStore.Builder builder = RedisStore.builder()
                .uri(process.uri())
                .time(new WrongClock(Duration.ofHours(3)))
                .rememberRejections(Duration.ZERO)
                .timeout(Duration.ofSeconds(5))
                .onWarning(warning -> {
                    warned.incrementAndGet();
                    throw new IllegalStateException("a fault of the listener");
                });
        try (RedisStore store = builder.build()) {
            for (int i = 0; i < 10; i++) {
                store.tryAcquire(DAILY);
            }
            assertThat(store.statistics().failedCalls()).isZero();
        }
        assertThat(warned).hasValue(1);
    }

    /** As one that was suspended: its calendar is behind from one request to the next. */
    @Test
    void dayEndsByTheServersCalendarAlsoWhenThisMachineJustWokeUp() {
        WrongClock clock = new WrongClock(Duration.ZERO);
        try (RedisStore store = store(clock, new CopyOnWriteArrayList<>())) {
            for (int hours : new int[] {-30, 30, -800, 0}) {
                assertOneADay(store);
                clock.ahead = Duration.ofHours(hours);
                LimitStatus status = store.tryAcquire(DAILY).statuses().get(0);
                assertThat(status.retryAfter().orElseThrow()).isPositive();
            }
        }
    }
}
