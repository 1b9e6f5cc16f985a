package io.github.ratelimit.content.cms.limit;

import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestPart;
import io.github.ratelimit.content.cms.rest.RestParts;
import io.github.ratelimit.content.cms.rest.RestStep;
import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.spring.RateLimitExceededException;
import java.util.List;

/**
 * Limits how much of what takes the most work a caller may ask for: searches, and requests within batches. No header field
 * tells of these limits until they refuse. What is no such request costs no decision.
 */
final class WorkLimits implements RestStep {
    private final Quota searches;
    private final Quota batchRequests;

    /**
     * Makes the step.
     *
     * @param searches is asked for 1 by each request that searches
     * @param batchRequests is asked by each batch for as many as it holds
     */
    WorkLimits(Quota searches, Quota batchRequests) {
        this.searches = searches;
        this.batchRequests = batchRequests;
    }

    @Override
    public RestAnswer answer(Passing passing, Next next) {
        List<RestPart> parts = RestParts.of(passing.http());
        try {
            if (!parts.isEmpty()) {
                batchRequests.take(passing.http(), passing.response(), parts.size());
            } else if (isSearch(passing.prepared())) {
                searches.take(passing.http(), passing.response(), 1);
            }
        } catch (RateLimitExceededException refused) {
            return RouteLimits.refusal(refused.verdict().status());
        }
        return next.answer();
    }

    /** By the argument that was read, however the request spelled it; no batch holds requests that read. */
    private static boolean isSearch(Dispatcher.Prepared prepared) {
        return prepared.refusal() == null
                && prepared.request()
                        .arguments()
                        .text("search")
                        .filter(words -> !words.isEmpty())
                        .isPresent();
    }
}
