package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.internal.Durations;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** One line at DEBUG for each rejection: which limiters and rules, and for how long. Never whose: keys are personal data. */
public final class RejectionLog implements DecisionListener {

    private static final Log LOG = LogFactory.getLog(RejectionLog.class);

    /** Makes it. */
    public RejectionLog() {}

    @Override
    public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
        if (decision.allowed() || !LOG.isDebugEnabled()) {
            return;
        }
        if (decision.source() == Decision.Source.NONE) {
            LOG.debug("rejected without a store: limiter '%s'".formatted(limiter));
            return;
        }
        // Told once for each limiter of a decision: the one that holds the caller back longest speaks for all.
        boolean speaks = shadow
                || decision.mostRestrictive()
                        .filter(status -> status.limiter().equals(limiter))
                        .isPresent();
        if (speaks) {
            LOG.debug((shadow ? "would be rejected, by a limiter in shadow: " : "rejected: ")
                    + decision.statuses().stream()
                            .filter(LimitStatus::exceeded)
                            .map(RejectionLog::described)
                            .collect(Collectors.joining("; ")));
        }
    }

    private static String described(LimitStatus status) {
        return "limiter '%s', rule '%s': %d %s, %s"
                .formatted(
                        status.limiter(),
                        status.limit().name(),
                        status.limit().permits(),
                        RuleText.window(status.limit()),
                        status.retryAfter()
                                .map(wait -> "again in " + Durations.seconds(wait))
                                .orElse("never, as the request costs more than that"));
    }
}
