package io.github.ratelimit.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known without asking stays bounded. */
class RememberedRejectionsTest {

    private static final int CLIENTS = 150_000;

    private final CounterNames names = new CounterNames(null);
    private final RememberedRejections remembered =
            new RememberedRejections(TimeSource.system(), Duration.ofMinutes(10));

    private static List<Charge> charges(int client) {
        return List.of(new Charge("api", Limit.of(1, Duration.ofHours(1)), Key.of("client-" + client)));
    }

    private void reject(int client) {
        Request request = Request.of(Operation.TAKE, charges(client), names.of(charges(client)), null, 0);
        Request.Answer used = Request.Answer.of(request, false, 1000, new long[] {1, 2_000_000, 1_999_000}, 0, 0);
        remembered.remember(request, used, true, 0);
    }

    /** A rejection told 8 remaining where 7 were. */
    @Test
    void counterThatIsDecidedTogetherWithABucketIsKnownNoMore() {
        reject(1);
        List<Charge> both = List.of(
                charges(1).get(0),
                new Charge("api", Limit.of("bucket", 9, Duration.ofHours(1)).bucket(), Key.of("all")));
        Request request = Request.of(Operation.TAKE, both, names.of(both), null, 0);
        long[] figures = {1, 2_000_000, 1_999_000, 0, 0, 0};
        remembered.remember(request, Request.Answer.of(request, false, 1000, figures, 0, 0), true, 0);
        assertThat(remembered.rejecting(charges(1), names.of(charges(1)))).isNull();
    }

    /** The window beside one that was used up was never closed. */
    @Test
    void requestThatClosesAnotherWindowIsAsked() {
        Limit blocking = Limit.of("blocking", 9, Duration.ofHours(1)).blocking(Duration.ofHours(2));
        Charge ann = charges(1).get(0);
        Charge all = new Charge("api", blocking, Key.of("all"));
        List<Charge> both = List.of(ann, all);
        Request request = Request.of(Operation.TAKE, both, names.of(both), null, 0);
        long[] figures = {1, 2_000_000, 1_999_000, 2, 2_000_000, 0};
        remembered.remember(request, Request.Answer.of(request, false, 1000, figures, 0, 0), true, 0);
        assertThat(remembered.rejecting(both, names.of(both))).isNotNull();
        List<Charge> tooMany = List.of(ann, all.withCost(8));
        assertThat(remembered.rejecting(tooMany, names.of(tooMany))).isNull();
    }

    @Test
    void blockedCounterIsAskedByALimitOfMorePermits() {
        Limit blocking = Limit.of("blocking", 9, Duration.ofHours(1)).blocking(Duration.ofHours(2));
        List<Charge> nine = List.of(new Charge("api", blocking, Key.of("all")));
        Request request = Request.of(Operation.TAKE, nine, names.of(nine), null, 0);
        long[] figures = {9, 2_000_000, 1_999_000};
        remembered.remember(request, Request.Answer.of(request, false, 1000, figures, 0, 0), true, 0);
        assertThat(remembered.rejecting(nine, names.of(nine))).isNotNull();
        List<Charge> ten = List.of(new Charge("api", blocking.withPermits(10), Key.of("all")));
        assertThat(remembered.rejecting(ten, names.of(ten))).isNull();
    }

    @Test
    void knownRejectionsTakeBoundedMemory() {
        for (int client = 0; client < CLIENTS; client++) {
            reject(client);
        }
        assertThat(remembered.size()).isBetween(CLIENTS / 2, 100_000);
        assertThat(remembered.rejecting(charges(0), names.of(charges(0)))).isNotNull();
        assertThat(remembered.rejecting(charges(CLIENTS - 1), names.of(charges(CLIENTS - 1))))
                .isNull();
        remembered.sweep();
        assertThat(remembered.size()).as("all of use").isPositive();
        remembered.clear();
        assertThat(remembered.size()).isZero();
    }
}
