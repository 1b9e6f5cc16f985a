package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bursts within a limit are served, and the rest is 429. Nothing is 503, late or cut off, though the machine has other work on two cores.
 *
 * <p>A crowd is 64 clients that send at once, each on a connection of its own.
 */
@EnabledIfSystemProperty(named = "full", matches = "true")
final class BurstsTest extends OnLimitedServer {

    private static final int ADDRESSES = WORKSPACES;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Thread> otherWork = new ArrayList<>();

    @BeforeAll
    void keepBothCoresBusy() {
        for (int i = 0; i < 2; i++) {
            Thread busy = new Thread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            busy.setDaemon(true);
            busy.start();
            otherWork.add(busy);
        }
    }

    @AfterAll
    void endOtherWork() throws InterruptedException {
        isOver.set(true);
        for (Thread busy : otherWork) {
            busy.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void crowdOfOneAddressIsServed(Limited limiter) {
        assertServed(limiter, crowd(limiter, 0));
    }

    @ParameterizedTest
    @EnumSource
    void crowdsOfTwentyAddressesAreServed(Limited limiter) {
        AtOnce.run(ADDRESSES, number -> crowd(limiter, number)).forEach(outcome -> assertServed(limiter, outcome));
    }

    /** As many requests as the limit has permits, and one more of each client. */
    private Crowd.Outcome crowd(Limited limiter, int number) {
        String credentials = bearer(limiter == Limited.CMS_PLUGIN ? workspaceToken(number) : newVisitor());
        return Crowd.send(
                server.base(),
                "127.0.1." + (number + 1),
                limiter.permits() + Crowd.CLIENTS,
                (connection, request) -> connection.send(limiter.line(), limiter.body(), credentials));
    }

    private static void assertServed(Limited limiter, Crowd.Outcome outcome) {
        assertThat(outcome.admitted()).as(outcome.statuses()).hasSize(limiter.permits());
        assertThat(outcome.rejected()).as(outcome.statuses()).hasSize(Crowd.CLIENTS);
        assertThat(outcome.admitted())
                .as(outcome.statuses())
                .extracting(Answer::status)
                .allMatch(status -> status < 300);
    }
}
