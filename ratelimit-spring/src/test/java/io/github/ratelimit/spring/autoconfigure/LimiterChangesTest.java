package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LimiterChangesTest {

    private static final int CHANGES = 5_000;

    private final Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create(new TestClock()))
            .add(LimiterSpec.of("api", Limit.of(1, Duration.ofHours(1)), KeyResolver.everybody()))
            .build();
    private final OperatorChanges<HttpCall> changes = new OperatorChanges<>(limiters);

    /** Two operators, or one who is in a hurry. */
    @Test
    void changesAtOnceDoNotUndoEachOther() {
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            for (long permits = 1; permits <= CHANGES; permits++) {
                changes.change("api", null, permits, null, null, null, "ann");
                assertThat(permits()).isEqualTo(permits);
            }
        });
        for (int i = 0; i < CHANGES; i++) {
            boolean shadow = i % 2 == 0;
            changes.change("api", shadow, null, null, null, null, "ann");
            assertThat(limiters.spec("api").shadow()).isEqualTo(shadow);
        }
        other.join();
        assertThat(permits()).isEqualTo(CHANGES);
    }

    private long permits() {
        return limiters.spec("api").rules().get(0).limits().get(0).permits();
    }

    /** A decision that has begun goes by one description from its beginning to its end. */
    @Test
    void decisionsDuringAChangeGoByTheOldOrTheNewLimit() {
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < CHANGES; i++) {
                changes.change("api", null, i % 2 == 0 ? 10L : 20L, null, null, null, "ann");
            }
            changes.change("api", null, 20L, null, null, null, "ann");
        });
        int allowed = 0;
        while (!other.isDone()) {
            allowed += limiters.get("api").tryAcquire(DescribedCall.of(null)).allowed() ? 1 : 0;
        }
        other.join();
        while (limiters.get("api").tryAcquire(DescribedCall.of(null)).allowed()) {
            allowed++;
        }
        assertThat(allowed).as("counts stay").isEqualTo(20);
    }
}
