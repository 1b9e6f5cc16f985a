package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/** Who may keep workers waiting. */
final class TransfersTest {
    private static final int PLACES = 16;
    private static final int STATEMENTS = 1_000;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final RequestBounds BOUNDS = bounds(DataSize.ofMegabytes(1));

    private final Transfers transfers = transfers("203.0.113.9"::equals);

    static Transfers transfers(Predicate<String> unbounded) {
        return transfers(TimeSource.system(), unbounded);
    }

    static Transfers transfers(TimeSource clock, Predicate<String> unbounded) {
        return new Transfers(clock, BOUNDS, Integer.MAX_VALUE, 64, unbounded);
    }

    static Transfers transfers(TimeSource clock, DataSize held, Predicate<String> unbounded) {
        return new Transfers(clock, bounds(held), Integer.MAX_VALUE, 64, unbounded);
    }

    private static RequestBounds bounds(DataSize held) {
        return new RequestBounds(
                DataSize.ofKilobytes(16),
                1_000,
                20_000,
                held,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                PLACES,
                PLACES,
                DataSize.ofKilobytes(100),
                DataSize.ofMegabytes(1),
                DEADLINE,
                STATEMENTS,
                10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.1", "2001:db8:0:1:0:0:0:1"})
    void whoeverIsSlowKeepsAnEighthOfTheWorkersWaiting(String slow) {
        assertThat(transfers.tryWait(slow)).isTrue();
        assertThat(transfers.tryWait(slow)).isTrue();
        assertThat(transfers.tryWait(slow)).isFalse();
        assertThat(transfers.tryWait("2001:db8:0:1:0:0:0:2")).isEqualTo(!slow.startsWith("2001"));
        assertThat(transfers.tryWait("203.0.113.2")).as("somebody else").isTrue();

        transfers.waited(slow, 0);
        assertThat(transfers.tryWait(slow)).as("given back").isTrue();
    }

    /** Whoever has fewer workers need not know of the other two settings. */
    @Test
    void aFifthOfTheWorkersIsLeftForWhoeverWaitsForNobody() {
        for (int workers : new int[] {1, 10}) {
            var few = new Transfers(TimeSource.system(), BOUNDS, workers, 64, peer -> true);
            int most = Math.max(1, workers * 2 / 5);
            for (int i = 0; i < most; i++) {
                assertThat(few.tryWait("203.0.113.1")).isTrue();
                assertThat(mayWait(few, request("203.0.113.1"))).isTrue();
            }
            assertThat(few.tryWait("203.0.113.1")).isFalse();
            assertThat(mayWait(few, request("203.0.113.1"))).isFalse();
            few.serving(null);
        }
    }

    @Test
    void aClientIsTheNetworkThatIsSet() {
        var households = new Transfers(TimeSource.system(), BOUNDS, Integer.MAX_VALUE, 56, peer -> false);

        assertThat(households.tryWait("2001:db8:0:100::1")).isTrue();
        assertThat(households.tryWait("2001:db8:0:1ff:0:0:0:1")).isTrue();
        assertThat(households.tryWait("2001:db8::1ff:5:5:5:5")).isFalse();
        assertThat(households.tryWait("2001:db8:0:200::1")).isTrue();
    }

    @Test
    void aTrustedProxyIsManyClients() {
        for (int i = 0; i < PLACES; i++) {
            assertThat(transfers.tryWait("203.0.113.9")).isTrue();
        }
        assertThat(transfers.tryWait("203.0.113.9")).isFalse();
        assertThat(transfers.tryWait("203.0.113.1")).isFalse();
        assertThat(transfers.waitingNow()).isEqualTo(PLACES);

        transfers.waited("203.0.113.9", 0);
        assertThat(transfers.tryWait("203.0.113.1")).isTrue();
    }

    @Test
    void oneRequestMayTakeWhatSeveralOfItsAddressMayNot() {
        String one = "203.0.113.1";
        long half = DataSize.ofMegabytes(1).toBytes() / 2;
        assertThat(transfers.tryHold(one, 0, half)).isTrue();
        assertThat(transfers.tryHold(one, half, 1))
                .as("the same request goes on")
                .isTrue();
        assertThat(transfers.tryHold(one, 0, 1))
                .as("another one of that address")
                .isFalse();
        assertThat(transfers.tryHold("203.0.113.2", 0, half))
                .as("more than is left")
                .isFalse();
        assertThat(transfers.tryHold("203.0.113.2", 0, half - 1)).isTrue();
        assertThat(transfers.held()).isEqualTo(2 * half);

        transfers.release("203.0.113.2", half - 1);
        transfers.release(one, half + 1);
        assertThat(transfers.held()).isZero();
        assertThat(transfers.tryHold(one, 0, half / 2)).as("a quarter").isTrue();
        assertThat(transfers.tryHold(one, 0, 1)).isFalse();
    }

    /** As a page of documents, or of a few items, which is answered whole if it is the only one. */
    @Test
    void anAnswerOfAnyLengthTakesWhatAllTogetherMay() {
        long all = DataSize.ofMegabytes(1).toBytes() / 3;
        BoundedRequest first = request("203.0.113.1");
        transfers.serving(first);
        assertThatThrownBy(() -> transfers.take(all)).hasFieldOrPropertyWithValue("status", 413);
        assertThatThrownBy(() -> transfers.takeAnyLength(all + 1)).hasFieldOrPropertyWithValue("status", 413);
        transfers.takeAnyLength(all);

        transfers.serving(request("203.0.113.2"));
        assertThatThrownBy(() -> transfers.takeAnyLength(all)).hasFieldOrPropertyWithValue("status", 503);
        first.release();
        transfers.takeAnyLength(all);
    }

    /** Whoever waited for a name waits for the database after that, and those behind must not have its place meanwhile. */
    @Test
    void aRequestKeepsItsPlaceAmongThoseThatWaitForEachOther() {
        List<BoundedRequest> requests =
                Stream.generate(() -> request("203.0.113.1")).limit(PLACES / 2).toList();

        assertThat(requests).allMatch(this::mayWait).allMatch(this::mayWait);
        assertThat(mayWait(request("203.0.113.1"))).as("more than a half").isFalse();
        assertThat(transfers.patience(LONG)).isEqualTo(Duration.ofMillis(250));
        assertThat(transfers.patience(Duration.ZERO)).isZero();
        assertThat(mayWait(request("203.0.113.2"))).as("somebody else").isTrue();
        transfers.serving(null);
        assertThat(transfers.patience(LONG)).as("a task").isEqualTo(LONG);
        assertThat(transfers.queuedNow()).isEqualTo(PLACES / 2 + 1);

        requests.forEach(BoundedRequest::release);
        assertThat(transfers.queuedNow()).isOne();
    }

    /** Also where its turn did not come within a quarter of a second: the others would wait for five minutes for what it holds. */
    @Test
    void whoGivesBackNeedsNoPlaceAmongThoseThatWait() {
        List<BoundedRequest> requests =
                Stream.generate(() -> request("203.0.113.1")).limit(PLACES / 2).toList();
        assertThat(requests).allMatch(this::mayWait);
        transfers.serving(request("203.0.113.1"));
        assertThat(transfers.patience(LONG)).isEqualTo(Duration.ofMillis(250));

        transfers.giveBack(() -> assertThat(transfers.patience(LONG)).isEqualTo(LONG));

        assertThat(transfers.patience(LONG)).as("afterwards").isEqualTo(Duration.ofMillis(250));
        assertThat(transfers.queuedNow()).as("takes no place of others").isEqualTo(PLACES / 2);
        requests.forEach(BoundedRequest::release);
    }

    /** Not while its client keeps it; and once more a little, so that it can give back what it holds. */
    @Test
    void aRequestKeepsItsWorkerOnlySoLong() {
        TestClock clock = new TestClock();
        Transfers timed = transfers(clock, peer -> false);
        timed.serving(new BoundedRequest(new MockHttpServletRequest("GET", "/"), timed));
        clock.advance(Duration.ofHours(1));
        timed.waited("203.0.113.1", Duration.ofHours(1).toNanos());
        timed.requireRoom();

        clock.advance(DEADLINE.minusSeconds(5));
        assertThat(timed.patience(LONG)).isEqualTo(Duration.ofSeconds(5));
        assertThat(timed.isSpent()).isFalse();
        clock.advance(Duration.ofSeconds(6));
        assertThat(timed.patience(LONG)).isZero();
        assertThatThrownBy(timed::requireRoom)
                .isInstanceOf(QueryTimeoutException.class)
                .hasCauseInstanceOf(UnavailableException.class);
        assertThat(timed.isSpent()).isTrue();
        timed.requireRoom();
        clock.advance(DEADLINE.dividedBy(9));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(timed::requireRoom).isInstanceOf(QueryTimeoutException.class);
        }
        timed.serving(null);
        timed.requireRoom();
    }

    @Test
    void aRequestRunsOnlySoManyStatements() {
        transfers.serving(request("203.0.113.1"));
        for (int i = 0; i < STATEMENTS; i++) {
            runStatement(transfers);
        }
        assertThatThrownBy(() -> runStatement(transfers)).isInstanceOf(QueryTimeoutException.class);
        for (int i = 0; i < STATEMENTS / 10; i++) {
            runStatement(transfers);
        }
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> runStatement(transfers)).isInstanceOf(QueryTimeoutException.class);
        }
    }

    /** For an answer without a bound; not for who was refused, who only gives back. */
    @Test
    void whoGoesOnHasItsWholeBoundOnceMore() {
        transfers.serving(request("203.0.113.1"));
        for (int i = 0; i < 3 * STATEMENTS; i++) {
            runStatement(transfers);
            if (i % STATEMENTS == STATEMENTS - 1) {
                transfers.renew();
            }
        }
        for (int i = 0; i < STATEMENTS; i++) {
            runStatement(transfers);
        }
        assertThatThrownBy(() -> runStatement(transfers)).isInstanceOf(QueryTimeoutException.class);
        transfers.renew();
        for (int i = 0; i < STATEMENTS / 10; i++) {
            runStatement(transfers);
        }
        assertThatThrownBy(() -> runStatement(transfers)).isInstanceOf(QueryTimeoutException.class);
        transfers.serving(null);
        transfers.renew();
    }

    /** Else its client would take what is stored for what is not. */
    @Test
    void whoHasStoredSomethingCanRead() {
        transfers.serving(request("203.0.113.1"));
        transfers.stored();
        for (int i = 0; i <= 2 * STATEMENTS; i++) {
            transfers.countStatement(false);
        }

        assertThat(transfers.isSpent()).as("nothing more begins").isTrue();
        assertThatThrownBy(() -> transfers.countStatement(true)).isInstanceOf(QueryTimeoutException.class);
    }

    private static void runStatement(Transfers budget) {
        budget.countStatement(false);
    }

    private BoundedRequest request(String peer) {
        var request = new MockHttpServletRequest("POST", "/");
        request.setRemoteAddr(peer);
        return new BoundedRequest(request, transfers);
    }

    private boolean mayWait(BoundedRequest request) {
        return mayWait(transfers, request);
    }

    private static boolean mayWait(Transfers transfers, BoundedRequest request) {
        transfers.serving(request);
        return transfers.patience(LONG).equals(LONG);
    }

    @AfterEach
    void end() {
        transfers.serving(null);
    }
}
