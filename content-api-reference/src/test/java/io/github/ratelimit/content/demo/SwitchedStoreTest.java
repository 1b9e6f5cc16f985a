package io.github.ratelimit.content.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwitchedStoreTest {
    private final TestClock clock = new TestClock();
    private final SwitchedStore store = new SwitchedStore(InProcessStore.create(clock));
    private final List<Charge> charges = List.of(new Charge("api", Limit.of(3, Duration.ofHours(1)), Key.of("ann")));

    private long remaining() {
        return store.tryAcquire(charges).statuses().get(0).remaining();
    }

    @Test
    void storeThatWasForgottenComesBackByItselfWithWhatItCounted() {
        assertThat(remaining()).isEqualTo(2);
        store.take();
        clock.advance(SwitchedStore.AWAY.minusMillis(1));
        assertThatThrownBy(this::remaining).isInstanceOf(StoreException.class);
        clock.advance(Duration.ofMillis(1));
        assertThat(remaining()).isEqualTo(1);
    }

    @Test
    void whoTakesItAgainDoesNotKeepItAwayForLonger() {
        store.take();
        clock.advance(SwitchedStore.AWAY.minusMillis(1));
        store.take();
        clock.advance(Duration.ofMillis(1));
        assertThat(remaining()).isEqualTo(2);
        store.take();
        assertThatThrownBy(this::remaining).isInstanceOf(StoreException.class);
    }

    @Test
    void whileItIsAwayEveryCallFails() {
        Decision before = store.tryAcquire(charges);
        store.take();
        assertThat(store.tryAcquireAsync(charges).toCompletableFuture()).isCompletedExceptionally();
        assertThat(store.refundAsync(before).toCompletableFuture()).isCompletedExceptionally();
        assertThat(store.resetAsync(charges).toCompletableFuture()).isCompletedExceptionally();
        store.giveBack();
        assertThat(store.refundAsync(before).toCompletableFuture()).isCompleted();
        assertThat(remaining()).isEqualTo(2);
    }
}
