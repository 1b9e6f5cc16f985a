package io.github.ratelimit.content.shared.container;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/**
 * Tells how many workers wait, for slow clients or for each other. When no more may, bodies that do not come at once, or what has to wait for its turn
 * to write, is refused. Not for the readiness: light requests are served on.
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
        long waiting = transfers.waitingNow();
        long queued = transfers.queuedNow();
        boolean isFull = waiting >= transfers.mostWaiting() || queued >= transfers.mostQueued();
        (isFull ? health.outOfService() : health.up())
                .withDetail("waiting", waiting)
                .withDetail("queued", queued)
                .withDetail("held", transfers.held());
    }
}
