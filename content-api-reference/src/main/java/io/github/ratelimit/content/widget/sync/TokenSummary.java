package io.github.ratelimit.content.widget.sync;

import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A workspace's token, without its secret.
 *
 * @param id what revokes it; stays when its secret is rotated
 * @param createdAt when its secret was made
 * @param current whether it is the one that asks
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record TokenSummary(String id, Instant createdAt, boolean current) {}
