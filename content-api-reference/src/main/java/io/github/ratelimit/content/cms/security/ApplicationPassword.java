package io.github.ratelimit.content.cms.security;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A password that an account gave to one application, without the password itself.
 *
 * @param uuid names it
 * @param accountId whose it is
 * @param appId the UUID of the application, or empty
 * @param name what its owner calls it
 * @param createdAt when it was made
 * @param lastUsedAt when it was used last, to the day; null: never
 * @param lastAddress where from; null: never used
 */
public record ApplicationPassword(
        String uuid,
        long accountId,
        String appId,
        String name,
        OffsetDateTime createdAt,
        @Nullable OffsetDateTime lastUsedAt,
        @Nullable String lastAddress) {}
