package io.github.ratelimit.content.cms.security;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A password that an account gave to one application, without the password itself.
 *
 * @param uuid names it
 * @param accountId whose it is
 * @param appId the UUID of the application, or empty
 * @param name what its owner calls it
 * @param created when it was made
 * @param lastUse when it was used last, to the day; null: never
 * @param lastAddress where from; null: never used
 */
public record ApplicationPassword(
        String uuid,
        long accountId,
        String appId,
        String name,
        Instant created,
        @Nullable Instant lastUse,
        @Nullable String lastAddress) {

    /**
     * Tells when it was used last.
     *
     * @return empty where it never was
     */
    public Optional<Instant> lastUsed() {
        return Optional.ofNullable(lastUse);
    }

    /**
     * Tells where it was used last.
     *
     * @return empty where it never was
     */
    public Optional<String> lastIp() {
        return Optional.ofNullable(lastAddress);
    }
}
