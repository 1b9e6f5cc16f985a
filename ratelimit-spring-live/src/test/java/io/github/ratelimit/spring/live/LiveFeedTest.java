package io.github.ratelimit.spring.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveFeedTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final LeavingStore store = new LeavingStore(InProcessStore.create(clock));
    private final LiveRecorder recorder = new LiveRecorder(clock);
    private final Limiters<String> limiters = Limiters.<String>builder(store)
            .listener(recorder)
            .add(LimiterSpec.of("api", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of))
            .add(LimiterSpec.<String>of("tried", Limit.of(1, Duration.ofMinutes(1)), Key::of)
                    .withShadow(true))
            .build();
    private final LiveFrame frame = new LiveFrame(recorder, limiters, "LeavingStore");
    private int rendered;
    private final LiveFeed feed = new LiveFeed(clock, this::render);
    private final Collecting watcher = new Collecting();

    @BeforeEach
    void start() {
        feed.start();
        assertThat(feed.join(watcher)).isTrue();
    }

    @AfterEach
    void stop() {
        feed.stop();
    }

    private String render() {
        rendered++;
        return frame.json();
    }

    private String next() {
        clock.advance(SECOND);
        return watcher.last();
    }

    private void ask(String limiter, String who, int times) {
        for (int i = 0; i < times; i++) {
            limiters.get(limiter).tryAcquire(who);
        }
    }

    @Test
    void gaugeDrainsItsResetCountsDownAndItIsFullAgain() {
        assertThat(watcher.last()).contains("\"remaining\":10,\"resetMillis\":0}");
        ask("api", "ann", 4);
        assertThat(next()).contains("\"permits\":10,\"windowMillis\":60000,\"remaining\":6,\"resetMillis\":59000}");
        assertThat(next()).contains("\"remaining\":6,\"resetMillis\":58000}");
        clock.advance(Duration.ofSeconds(58));
        assertThat(watcher.last()).contains("\"remaining\":10,\"resetMillis\":0}");
    }

    @Test
    void framesAreTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(next()).doesNotContainPattern("[^\\x00-\\x7f]").contains("\"permits\":10,");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void limiterThatIsChangedIsShownAsItIsNow() {
        assertThat(watcher.last()).contains("\"permits\":10,", "\"name\":\"tried\",\"shadow\":true");
        limiters.change(LimiterSpec.of("api", Limit.of("burst", 20, Duration.ofMinutes(1)), Key::of));
        limiters.change(LimiterSpec.of("tried", Limit.of(1, Duration.ofMinutes(1)), Key::of));
        assertThat(next()).contains("\"permits\":20,", "\"name\":\"tried\",\"shadow\":false");
    }

    @Test
    void gaugeShowsTheClientThatIsNearestToItsLimit() {
        ask("api", "ann", 3);
        ask("api", "ben", 7);
        ask("api", "cat", 1);
        assertThat(next()).contains("\"remaining\":3,");
        ask("api", "ann", 5);
        assertThat(next()).contains("\"remaining\":2,");
    }

    @Test
    void rateAndPointsTellAllowedAndRejectedAndALookIsNeither() {
        ask("api", "ann", 15);
        limiters.get("api").tryAcquire("ann", 0);
        assertThat(next()).contains("\"allowedRate\":2.0,\"rejectedRate\":1.0,\"allowed\":[10],\"rejected\":[5]");
    }

    @Test
    void whoIsRejectedIsShownByADigestAndNeverByItsKey() {
        ask("api", "ann@example.org", 12);
        assertThat(next())
                .containsPattern(
                        "\"rejected\":\\[\\{\"limiter\":\"api\",\"rule\":\"burst\",\"key\":\"[0-9a-f]{16}\",\"count\":2,\"error\":0}]")
                .doesNotContain("example");
    }

    @Test
    void limiterInShadowIsShownAsOne() {
        ask("tried", "ann", 3);
        assertThat(next())
                .contains("{\"name\":\"tried\",\"shadow\":true,")
                .contains("\"allowed\":[1],\"rejected\":[2]");
    }

    @Test
    void storeThatGoesAndComesBackIsTold() {
        assertThat(watcher.last()).contains("\"state\":\"unknown\"},\"changes\":[]");
        ask("api", "ann", 1);
        assertThat(next()).contains("\"store\":{\"kind\":\"LeavingStore\",\"state\":\"answering\"}");
        store.isAway = true;
        ask("api", "ann", 1);
        assertThat(next()).contains("\"state\":\"away\"},\"changes\":[{\"at\":");
        store.isAway = false;
        assertThat(next()).as("nobody has asked since").contains("\"state\":\"away\"},");
        ask("api", "ann", 1);
        clock.advance(SECOND);
        ask("api", "ann", 1);
        assertThat(next()).contains("\"state\":\"answering\"},").contains("\"state\":\"away\"},{");
    }

    @Test
    void storeThatAnswersEveryOtherRequestIsAwayAndDoesNotComeAndGo() {
        for (int i = 0; i < 10; i++) {
            store.isAway = i % 2 == 0;
            ask("api", "ann", 1);
            clock.advance(SECOND);
        }
        assertThat(next())
                .contains("\"state\":\"away\"},\"changes\":[{\"at\":")
                .containsOnlyOnce("\"state\":\"away\"}]");
    }

    @Test
    void fiftyWatchersShareOneFrameAndNobodyCostsNone() {
        List<Collecting> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(new Collecting());
            assertThat(feed.join(others.get(i))).isTrue();
        }
        int before = rendered;
        assertThat(before).as("for all who join within a second").isEqualTo(1);
        next();
        assertThat(rendered).isEqualTo(before + 1);
        assertThat(others).allSatisfy(each -> assertThat(each.frame).isSameAs(watcher.frame));

        others.forEach(feed::leave);
        feed.leave(watcher);
        clock.advance(Duration.ofSeconds(10));
        assertThat(rendered).isEqualTo(before + 1);
        assertThat(clock.waiting()).as("ticks").isZero();

        feed.join(watcher);
        assertThat(rendered).as("nothing old is shown").isEqualTo(before + 2);
    }

    @Test
    void whoIsGoneMakesRoomAndThereAreNoMoreThanSoMany() {
        feed.leave(watcher);
        for (int i = 0; i < LiveFeed.MOST_WATCHERS; i++) {
            assertThat(feed.join(new Collecting())).isTrue();
        }
        assertThat(feed.join(new Collecting())).isFalse();
        assertThat(feed.isOpen()).isFalse();
    }

    @Test
    void stopEndsEveryWatcherAndEveryTick() {
        feed.stop();
        assertThat(watcher.isEnded).isTrue();
        assertThat(feed.join(new Collecting())).isFalse();
        clock.advance(SECOND);
        assertThat(clock.waiting()).isZero();
    }

    @Test
    void limitsThatAreMadeUpForEachRequestTakeNoMoreMemory() {
        LiveRecorder own = new LiveRecorder(clock);
        for (int i = 0; i < 1000; i++) {
            Charge charge = new Charge("api", Limit.of("limit" + i, 1, SECOND), Key.of("ann"));
            Decision decision = store.tryAcquire(List.of(charge));
            own.onDecision("api", decision, false, 0);
        }
        long kept = 0;
        for (int i = 0; i < 1000; i++) {
            kept += own.traffic("api").standing("limit" + i, clock.nanoTime()) == null ? 0 : 1;
        }
        assertThat(kept).isEqualTo(LimiterTraffic.MOST_GAUGES);
    }

    private static final class Collecting implements LiveFeed.Watcher {

        private String frame = "";
        private boolean isEnded;

        String last() {
            return frame;
        }

        @Override
        public void offer(String frame) {
            this.frame = frame;
        }

        @Override
        public void end() {
            isEnded = true;
        }
    }

    /** A store that can be taken away. */
    private static final class LeavingStore implements Store {

        private final Store store;
        private boolean isAway;

        LeavingStore(Store store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return isAway
                    ? CompletableFuture.failedFuture(new StoreException("away", null))
                    : store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return store.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return store.resetAsync(charges);
        }

        @Override
        public boolean supports(Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return store.time();
        }
    }
}
