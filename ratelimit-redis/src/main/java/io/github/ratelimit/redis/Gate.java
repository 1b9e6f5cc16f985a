package io.github.ratelimit.redis;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets calls pass while Redis answers. When half of the last calls failed it lets none pass for about half a second, then one at a time
 * until one succeeds. Safe for concurrent use.
 */
final class Gate {

    /** Chosen: five failures in a row are no accident, and a fault that costs fewer is over before the gate would be. */
    private static final int FAILURES = 5;

    private static final Duration CLOSED_FOR = Duration.ofMillis(500);

    private final CircuitBreaker breaker;
    private volatile long heardAt;

    /**
     * Makes it.
     *
     * @param heardAt the moment, by the clock that calls are timed by
     * @param onShut runs when it lets no call pass any more, also when a probe has failed
     * @param onOpen runs when it lets all calls pass again
     */
    Gate(long heardAt, Consumer<Gate> onShut, Runnable onOpen) {
        this.heardAt = heardAt;
        this.breaker = CircuitBreaker.of(
                "ratelimit-redis",
                CircuitBreakerConfig.custom()
                        .slidingWindow(2 * FAILURES, FAILURES, SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(50)
                        .waitIntervalFunctionInOpenState(IntervalFunction.ofRandomized(CLOSED_FOR, 0.3))
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .writableStackTraceEnabled(false)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> {
            switch (event.getStateTransition().getToState()) {
                case OPEN -> onShut.accept(this);
                case CLOSED -> onOpen.run();
                default -> {}
            }
        });
    }

    /** Whether a call may pass. If so, exactly one of {@link #succeeded} and {@link #failed} follows. */
    boolean tryPass() {
        return breaker.tryAcquirePermission();
    }

    void succeeded(long nanos) {
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(long nanos, Throwable failure) {
        breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
    }

    /** An answer came, whatever it said. */
    void heard(long at) {
        heardAt = at;
    }

    /** When an answer came last. */
    long heardAt() {
        return heardAt;
    }

    /** Whether all calls pass. */
    boolean isOpen() {
        return breaker.getState() == State.CLOSED;
    }

    /** Lets the next call try at once: there is reason to hope. */
    void probe() {
        if (breaker.getState() == State.OPEN) {
            breaker.transitionToHalfOpenState();
        }
    }
}
