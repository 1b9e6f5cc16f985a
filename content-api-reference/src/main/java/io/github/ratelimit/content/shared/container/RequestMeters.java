package io.github.ratelimit.content.shared.container;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.concurrent.TimeUnit;

/** What all requests take at the moment, beside the most that they may, and what each one took. Safe for concurrent use. */
final class RequestMeters {
    private static final String PREFIX = "content.requests.";

    private final DistributionSummary bodies;
    private final DistributionSummary answers;
    private final DistributionSummary statements;
    private final Timer work;

    RequestMeters(MeterRegistry registry, Transfers transfers) {
        RequestBounds bounds = transfers.bounds();
        Gauge.builder(PREFIX + "waiting", transfers, Transfers::waitingNow)
                .description("workers that wait for slow clients")
                .register(registry);
        Gauge.builder(PREFIX + "maximum.waiting", transfers, Transfers::mostWaiting)
                .register(registry);
        Gauge.builder(PREFIX + "queued", transfers, Transfers::queuedNow)
                .description("requests that wait, or waited, for each other")
                .register(registry);
        Gauge.builder(PREFIX + "maximum.queued", transfers, Transfers::mostQueued)
                .register(registry);
        Gauge.builder(PREFIX + "held", transfers, Transfers::held)
                .description("bodies that are held, and what is read from them")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder(PREFIX + "maximum.held", () -> bounds.maxBytesInFlight().toBytes())
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder(PREFIX + "answered", transfers, Transfers::answeringNow)
                .description("long answers that are written")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder(
                        PREFIX + "maximum.answered",
                        () -> bounds.maxAnswersInFlight().toBytes())
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        this.bodies = DistributionSummary.builder(PREFIX + "body")
                .description("what one request held of its body, and of what was read from it")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        this.answers = DistributionSummary.builder(PREFIX + "answer")
                .description("what the texts of one answer took")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        this.statements = DistributionSummary.builder(PREFIX + "statements")
                .description("what one request had the database run")
                .register(registry);
        this.work = Timer.builder(PREFIX + "work")
                .description("how long one request kept its worker, without waits for its client")
                .register(registry);
    }

    /** To be called once for each request, before it gives back what it holds. */
    void served(BoundedRequest request, long now) {
        bodies.record((double) request.held());
        answers.record((double) request.answered());
        statements.record((double) request.work().statements());
        work.record(request.work().nanos(now), TimeUnit.NANOSECONDS);
    }
}
