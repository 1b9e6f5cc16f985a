package io.github.ratelimit.content.widget.settings;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.server.settings.ServerKey;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the widget and sync surfaces. Immutable. A value that the server cannot run with stops the start.
 *
 * @param visitor tokens of visitors
 * @param widget allowed origins and retention
 * @param sync what a workspace may keep, and bring at a time
 * @param provision what is made at start where it is missing
 */
@Validated
@ConfigurationProperties("content-api")
public record WidgetSettings(
        @DefaultValue @Valid Visitor visitor,
        @DefaultValue @Valid Widget widget,
        @DefaultValue @Valid Sync sync,
        @DefaultValue @Valid Provision provision) {

    /**
     * Tokens of visitors.
     *
     * @param signingKey base64 of 32 bytes or more that sign the tokens; derived from the server's key where it is missing
     * @param tokenLifetime how long a token is valid, a second or more
     */
    public record Visitor(
            @Nullable String signingKey,
            @DefaultValue("24h") @DurationMin(seconds = 1) Duration tokenLifetime) {

        /**
         * Decodes the key.
         *
         * @return 32 bytes or more; empty where none is set
         * @throws InvalidSettingException if it is not base64, or too short
         */
        public Optional<byte[]> key() {
            return Optional.ofNullable(signingKey)
                    .filter(key -> !key.isBlank())
                    .map(key -> ServerKey.decoded("content-api.visitor.signing-key", key));
        }

        /** Does not print the key. */
        @Override
        public String toString() {
            return "Visitor[tokenLifetime=" + tokenLifetime + "]";
        }
    }

    /**
     * The widget.
     *
     * @param allowedOrigins origins whose pages may call the widget, like https://www.example.org, or * for all; pages of the server's own
     *     origin always may
     * @param retention how long a conversation is kept after its last change, an hour or more
     * @param maxSize the most characters that a conversation keeps, with a hundred for each thing that was left
     */
    public record Widget(
            @DefaultValue List<@Pattern(regexp = ORIGIN) String> allowedOrigins,
            @DefaultValue("180d") @DurationMin(hours = 1) Duration retention,
            @DefaultValue("512KB") DataSize maxSize) {

        /** Browsers write a scheme, a host in lower case, and the port unless it is the usual one. */
        private static final String ORIGIN = "\\*|https?://([a-z0-9.-]{1,253}|\\[[0-9a-f:]{2,39}])(:[0-9]{1,5})?";
    }

    /**
     * What a workspace may keep, and bring at a time.
     *
     * @param maxDocuments the most documents of a workspace, 1 or more
     * @param maxSize the most characters of all its documents together, each counted as a byte
     */
    public record Sync(
            @DefaultValue("50000") @Min(1) int maxDocuments,
            @DefaultValue("32MB") DataSize maxSize) {}

    /**
     * What is made at start where it is missing.
     *
     * @param workspaces workspaces that are made at start where they are missing; never overwritten
     * @param coupons coupons that are made at start where they are missing; never overwritten
     */
    public record Provision(
            @DefaultValue List<@Valid Workspace> workspaces,
            @DefaultValue List<@Valid Coupon> coupons) {}

    /**
     * A workspace that is to exist, and a token that speaks for it.
     *
     * @param id 1 to 64 letters, digits, dots, dashes and underscores
     * @param token the API token of the site's plugin; best 32 random characters or more
     */
    public record Workspace(@NotBlank String id, @NotBlank String token) {
        /** Does not print the token. */
        @Override
        public String toString() {
            return "Workspace[id=" + id + "]";
        }
    }

    /**
     * A coupon that must exist.
     *
     * @param workspace id of a provisioned workspace
     * @param code in any case
     * @param description for people
     * @param percent the discount, 1 to 100
     * @param expiresAt when it ends, like 2030-01-31T00:00:00Z; never by default
     */
    public record Coupon(
            @NotBlank String workspace,
            @NotBlank String code,
            @DefaultValue("") String description,
            @Min(1) @Max(100) int percent,
            @Nullable Instant expiresAt) {}
}
