package io.github.ratelimit.content.server.settings;

import java.util.Arrays;
import java.util.Locale;

/**
 * Rejects an embedded database that would lose what it has acknowledged.
 *
 * <p>H2 writes to its file some time after a commit, unless it is told not to wait: a process that is killed in between
 * loses the commit. Looked at before anything connects, so that the database is not even made.
 */
final class EmbeddedDatabaseRule {
    private static final String PROPERTY = "spring.datasource.url";

    private EmbeddedDatabaseRule() {}

    static void check(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        boolean inMemory = lower.startsWith("jdbc:h2:mem:")
                || lower.startsWith("jdbc:h2:tcp:")
                || lower.startsWith("jdbc:h2:ssl:");
        if (!lower.startsWith("jdbc:h2:") || inMemory) {
            return;
        }
        boolean waits =
                Arrays.stream(lower.split(";")).skip(1).map(String::strip).noneMatch("write_delay=0"::equals);
        if (waits) {
            throw new InvalidSettingException(
                    PROPERTY,
                    "an H2 file database needs WRITE_DELAY=0, or a killed process loses writes that it acknowledged",
                    "Add ;WRITE_DELAY=0 to the address, or remove " + PROPERTY + " to use the default one.");
        }
    }
}
