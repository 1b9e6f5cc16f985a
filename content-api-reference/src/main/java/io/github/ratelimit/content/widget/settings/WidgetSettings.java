package io.github.ratelimit.content.widget.settings;

import static io.github.ratelimit.content.shared.settings.InvalidSettingException.require;
import static io.github.ratelimit.content.shared.settings.SettingRange.requireSize;
import static io.github.ratelimit.content.shared.settings.SettingRange.requireTime;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the widget and sync surfaces. Immutable; a value that the server cannot run with is refused with an {@link
 * InvalidSettingException}. Times are a hundred years at most.
 *
 * @param visitor tokens of visitors
 * @param widget who may show the widget, and how long what visitors left is kept
 * @param sync what a workspace may keep, and bring at a time
 * @param provision what is made at start where it is missing
 */
@ConfigurationProperties("content-api")
public record WidgetSettings(
        @DefaultValue Visitor visitor,
        @DefaultValue Widget widget,
        @DefaultValue Sync sync,
        @DefaultValue Provision provision) {

    /**
     * Tokens of visitors.
     *
     * @param signingKey base64 of 32 bytes or more that sign the tokens; derived from the server's key where it is missing
     * @param tokenLifetime how long a token is valid, a second or more
     */
    public record Visitor(
            @Nullable String signingKey,
            @DefaultValue("24h") Duration tokenLifetime) {
        private static final int KEY_BYTES = 32;

        /** Checks the values. */
        public Visitor {
            requireTime("content-api.visitor.token-lifetime", tokenLifetime, "1s", "24h");
        }

        /**
         * Decodes the key.
         *
         * @return 32 bytes or more; empty where none is set
         * @throws InvalidSettingException if it is not base64, or too short
         */
        public Optional<byte[]> key() {
            if (signingKey == null || signingKey.isBlank()) {
                return Optional.empty();
            }
            byte[] key;
            try {
                key = Base64.getDecoder().decode(signingKey.strip());
            } catch (IllegalArgumentException e) {
                // Without the cause, whose message repeats characters of the key.
                throw invalidKey("must be base64");
            }
            if (key.length < KEY_BYTES) {
                throw invalidKey("must be base64 of 32 bytes or more, was " + key.length + " bytes");
            }
            return Optional.of(key);
        }

        private static InvalidSettingException invalidKey(String rule) {
            return new InvalidSettingException(
                    "content-api.visitor.signing-key", rule, "set it to the output of: openssl rand -base64 32");
        }

        /** Does not print the key. */
        @Override
        public String toString() {
            return "Visitor[tokenLifetime=" + tokenLifetime + "]";
        }
    }

    /**
     * Who may show the widget, and how long what visitors left is kept.
     *
     * @param allowedOrigins beside those of each workspace: the sites whose pages may call it from a browser, each like
     *     https://www.example.org; or * for every site; none by default, which leaves pages of the server's
     *     own origin
     * @param retention how long what visitors left is kept
     */
    public record Widget(
            @DefaultValue List<String> allowedOrigins,
            @DefaultValue Retention retention) {
        /** Checks the values. */
        public Widget {
            for (String origin : allowedOrigins) {
                require(
                        isOrigin(origin),
                        "content-api.widget.allowed-origins",
                        "must be '*' or a scheme, a host in lower case and at most a port",
                        "'" + origin + "'",
                        "write it as browsers do, like https://www.example.org");
            }
        }
    }

    /**
     * How long what visitors left is kept, an hour or more: a token lasts for a day and can be renewed for an hour, and its
     * conversation must still be there.
     *
     * @param conversations how long a conversation is kept after something last happened in it
     * @param silent the same for a conversation in which nothing was said, left or rated
     */
    public record Retention(
            @DefaultValue("180d") Duration conversations,
            @DefaultValue("2d") Duration silent) {
        /** Checks the values. */
        public Retention {
            requireTime("content-api.widget.retention.conversations", conversations, "1h", "180d");
            requireTime("content-api.widget.retention.silent", silent, "1h", "2d");
        }
    }

    /**
     * What a workspace may keep, and bring at a time.
     *
     * @param maxDocuments the most documents of a workspace, 1 or more
     * @param maxSize the most characters of all its documents together, each counted as a byte; 1 byte to 1024 TB
     * @param bodiesAtATime how many bodies above a megabyte are read at a time, of all workspaces together; one of each
     */
    public record Sync(
            @DefaultValue("50000") int maxDocuments,
            @DefaultValue("128MB") DataSize maxSize,
            @DefaultValue("3") int bodiesAtATime) {
        /** Checks the values. */
        public Sync {
            require(
                    maxDocuments > 0,
                    "content-api.sync.max-documents",
                    "must be 1 or more",
                    maxDocuments,
                    "set it to 50000, for example");
            require(
                    bodiesAtATime > 0,
                    "content-api.sync.bodies-at-a-time",
                    "must be 1 or more",
                    bodiesAtATime,
                    "set it to 3, for example");
            requireSize("content-api.sync.max-size", maxSize, "1B", "128MB");
        }
    }

    /**
     * What is made at start where it is missing.
     *
     * @param workspaces workspaces that are made at start where they are missing; never overwritten
     */
    public record Provision(@DefaultValue List<Workspace> workspaces) {}

    /**
     * A workspace that is to exist, and a token that speaks for it.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the API token of the site's plugin; best 32 random characters or more
     */
    public record Workspace(@Nullable String id, @Nullable String token) {
        /** Does not print the token. */
        @Override
        public String toString() {
            return "Workspace[id=" + id + "]";
        }
    }

    private static final int LONGEST_ORIGIN = 300;
    private static final Pattern ORIGIN =
            Pattern.compile("https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\\[[0-9a-f:]+](:[0-9]{1,5})?");

    /**
     * Tells whether a text is {@code *}, or an origin as browsers write it.
     *
     * @param origin any text
     * @return whether the widget can be allowed to it
     */
    public static boolean isOrigin(String origin) {
        return origin.equals("*")
                || (origin.length() <= LONGEST_ORIGIN && ORIGIN.matcher(origin).matches());
    }
}
