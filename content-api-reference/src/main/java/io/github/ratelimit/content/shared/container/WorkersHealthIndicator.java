package io.github.ratelimit.content.shared.container;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Tells how many workers wait for slow clients. When no more may, requests with bodies are refused: not ready for more. */
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
