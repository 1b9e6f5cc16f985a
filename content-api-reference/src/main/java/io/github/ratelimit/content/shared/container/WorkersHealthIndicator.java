package io.github.ratelimit.content.shared.container;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Tells how many workers wait, for slow clients or for each other. Never down: where no more may, bodies that do not come at once, or what has to wait
 * for its turn to write, is refused, and a fifth of the workers serve all else. Whoever took the server away from its clients then would do what an
 * attacker wants.
 */
@Component
final class WorkersHealthIndicator extends AbstractHealthIndicator {
    private final Transfers transfers;

    WorkersHealthIndicator(Transfers transfers) {
        super("the workers cannot be counted");
        this.transfers = transfers;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up()
                .withDetail("waiting", transfers.waitingNow())
                .withDetail("queued", transfers.queuedNow())
                .withDetail("held", transfers.held());
    }
}
