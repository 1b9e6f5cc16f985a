package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.contract.FaultProxy.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store behind a network whose answers are late or lost. After each fault, and with nobody holding, a concurrency limit is whole within
 * two seconds of the first answer: no permit waits for the end of its lease. A settlement that is answered late counts once.
 *
 * <p>For stores with a timeout of 100 ms that is reached through a {@link FaultProxy}. A subclass starts both before each test.
 */
public abstract class LateAnswersContract {

    private static final int PERMITS = 5;

    /** Chosen: longer than any of these tests waits. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final long WHOLE_AFTER_NANOS = 2_000_000_000L;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    /** So long that a call of a store with a timeout of 100 ms fails, and so short that nobody calls it an outage. */
    private static final long SILENCE_NANOS = 150_000_000;

    private final Charge jobs =
            new Charge("jobs", Limit.concurrent("jobs", PERMITS, LEASE), Key.of("tenant-" + UUID.randomUUID()));

    /** For subclasses. */
    protected LateAnswersContract() {}

    /** The store, reached through {@link #proxy}. */
    protected abstract Store store();

    /** The network between store and server. */
    protected abstract FaultProxy proxy();

    /** Takes fail while the store is silent; some of them are carried out. */
    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "PASS", mode = EnumSource.Mode.EXCLUDE)
    void permitsOfTakesWithoutAnAnswerAreBackWhenTheStoreAnswers(Fault fault) {
        awaitRemaining(PERMITS);
        proxy().set(fault);
        List<CompletableFuture<Decision>> takes = Stream.generate(() -> store().tryAcquireAsync(List.of(jobs)))
                .limit(PERMITS)
                .toList();
        silence();
        proxy().set(Fault.PASS);
        takes.forEach(take -> {
            Decision taken = take.handle((decision, failure) -> decision).join();
            if (taken != null) {
                end(taken);
            }
        });
        assertWholeSoon();
    }

    /** Tasks end while the store is down: what ends their permits fails. */
    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "PASS", mode = EnumSource.Mode.EXCLUDE)
    void permitsOfTasksThatEndInAnOutageAreBackWhenTheStoreAnswers(Fault fault) {
        List<Decision> held = takeAll();
        proxy().set(fault);
        List<CompletableFuture<Void>> ends = held.stream().map(this::end).toList();
        silence();
        ends.forEach(end -> end.handle((done, failure) -> done).join());
        proxy().set(Fault.PASS);
        assertWholeSoon();
    }

    /** Renewals are answered late or never, and then the tasks end. */
    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "PASS", mode = EnumSource.Mode.EXCLUDE)
    void renewalsInAnOutageTakeNothingMore(Fault fault) {
        List<Decision> held = takeAll();
        proxy().set(fault);
        List<CompletableFuture<Boolean>> renewals =
                held.stream().map(store()::renewAsync).toList();
        silence();
        renewals.forEach(renewal -> renewal.handle((done, failure) -> done).join());
        proxy().set(Fault.PASS);
        awaitRemaining(0);
        held.forEach(decision ->
                assertThat(retried(() -> store().renewAsync(decision))).isTrue());
        assertThat(remaining()).hasValue(0);
        held.forEach(this::end);
        assertWholeSoon();
    }

    @Test
    void permitOfACallerThatDoesNotWaitAnyMoreIsGivenBack() {
        awaitRemaining(PERMITS);
        for (int i = 0; i < 20 * PERMITS; i++) {
            CompletableFuture<Decision> take = store().tryAcquireAsync(List.of(jobs));
            LockSupport.parkNanos(i * 20_000L);
            if (!take.cancel(false)) {
                take.thenAccept(this::end);
            }
        }
        assertWholeSoon();
    }

    /** Remaining 80, 85, 90, 95, 100: each try gave back once more. */
    @Test
    void settlementThatIsAnsweredLateCountsOnce() {
        Charge quota = new Charge("api", Limit.of("quota", 100, LEASE), jobs.key(), 5);
        awaitRemaining(PERMITS);
        Decision decision = store().tryAcquire(List.of(quota));
        store().tryAcquire(List.of(quota.withCost(20)));
        proxy().set(Fault.HOLD);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store().refundAsync(decision).join()).hasCauseInstanceOf(StoreException.class);
        }
        proxy().set(Fault.PASS);
        retried(() -> store().refundAsync(decision));
        assertThat(retried(() -> store().tryAcquireAsync(List.of(quota.withCost(0))))
                        .statuses()
                        .get(0)
                        .remaining())
                .isEqualTo(80);
    }

    private List<Decision> takeAll() {
        awaitRemaining(PERMITS);
        List<Decision> held = new ArrayList<>();
        while (held.size() < PERMITS) {
            Decision taken = store().tryAcquire(List.of(jobs));
            assertThat(taken.allowed()).isTrue();
            held.add(taken);
        }
        assertThat(store().tryAcquire(List.of(jobs)).allowed()).isFalse();
        return held;
    }

    /** As a task does: it does not try again. */
    private CompletableFuture<Void> end(Decision decision) {
        return store().settleAsync(decision, charge -> 0);
    }

    private static void silence() {
        LockSupport.parkNanos(SILENCE_NANOS);
    }

    private void assertWholeSoon() {
        OptionalLong first = awaitAnswer();
        long start = System.nanoTime();
        OptionalLong now = first;
        while (now.orElse(0) != PERMITS && System.nanoTime() - start < WHOLE_AFTER_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            now = remaining();
        }
        assertThat(now).as("permits 2 s after the first answer").hasValue(PERMITS);
        List<Decision> all = takeAll();
        LockSupport.parkNanos(WHOLE_AFTER_NANOS); // what is repeated for safety ends nobody else's
        assertThat(remaining()).hasValue(0);
        all.forEach(this::end);
        awaitRemaining(PERMITS);
    }

    private OptionalLong awaitAnswer() {
        long start = System.nanoTime();
        OptionalLong answer = remaining();
        while (answer.isEmpty() && System.nanoTime() - start < PATIENCE_NANOS) {
            answer = remaining();
        }
        return answer;
    }

    private void awaitRemaining(long permits) {
        long start = System.nanoTime();
        OptionalLong now = remaining();
        while (now.orElse(-1) != permits && System.nanoTime() - start < PATIENCE_NANOS) {
            now = remaining();
        }
        assertThat(now).hasValue(permits);
    }

    /** Empty if the store does not answer. */
    private OptionalLong remaining() {
        try {
            return OptionalLong.of(store().tryAcquireAsync(List.of(jobs.withCost(0)))
                    .join()
                    .statuses()
                    .get(0)
                    .remaining());
        } catch (CompletionException e) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            return OptionalLong.empty();
        }
    }

    private static <T> T retried(Supplier<CompletableFuture<T>> call) {
        long start = System.nanoTime();
        while (true) {
            try {
                return call.get().join();
            } catch (CompletionException e) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw e;
                }
            }
        }
    }
}
