package io.github.ratelimit.content.cms.settings;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the content interface. Immutable. A value that the server cannot run with stops the start.
 *
 * @param dataDir where the server keeps its files, its key and the embedded database
 * @param serverKey base64 of 32 bytes or more, in place of the key in the data directory: the same one for several servers
 *     on one database
 * @param baseUrl the address that answers carry; empty to go by the request
 * @param site what the site says of itself
 * @param passwordHashes hashes of passwords that people chose
 * @param applicationPasswords passwords of applications
 * @param provision what is made at start where it is missing
 * @param cache the cache of public answers
 * @param media uploads
 * @param revisions earlier wordings of items
 * @param publishInterval how often it is looked for posts that are due to be published, and for public changes of other servers; a millisecond or more
 */
@Validated
@ConfigurationProperties("content-api")
public record CmsSettings(
        @DefaultValue("./data") Path dataDir,
        @Nullable String serverKey,

        @DefaultValue("") @Pattern(regexp = "(https?://[a-zA-Z0-9.:\\[\\]-]+(/[a-zA-Z0-9._~/-]*)?)?")
        String baseUrl,

        @DefaultValue Site site,
        @DefaultValue @Valid PasswordHashes passwordHashes,
        @DefaultValue ApplicationPasswords applicationPasswords,
        @DefaultValue @Valid Provision provision,
        @DefaultValue Cache cache,
        @DefaultValue @Valid Media media,
        @DefaultValue @Valid Revisions revisions,
        @DefaultValue("1s") @DurationMin(millis = 1) Duration publishInterval) {
    /**
     * What the site says of itself.
     *
     * @param title the name of the site
     * @param tagline what the site is about
     * @param timezone the zone of the moments that the site shows, and of those that it is sent without one
     */
    public record Site(
            @DefaultValue("Example Site") String title,
            @DefaultValue("A site of examples") String tagline,
            @DefaultValue("UTC") ZoneId timezone) {}

    /**
     * Hashes of passwords that people chose. Each takes about 0.1 s of one core.
     *
     * @param atOnce how many passwords are hashed at a time, 1 to 1000
     * @param waiting how many more may wait for that, each with a thread, 0 to 1000; others are told to come back
     */
    public record PasswordHashes(
            @DefaultValue("1") @Min(1) @Max(1000) int atOnce,
            @DefaultValue("20") @Min(0) @Max(1000) int waiting) {}

    /**
     * Passwords of applications.
     *
     * @param enabled whether any password of an application is issued or accepted; those that are there are kept for when it is switched on again
     */
    public record ApplicationPasswords(@DefaultValue("true") boolean enabled) {}

    /**
     * What is made at start where it is missing.
     *
     * @param users accounts that are made at start where they are missing; never overwritten
     */
    public record Provision(@DefaultValue List<@Valid User> users) {}

    /**
     * An account that is to exist.
     *
     * @param login the name to sign in with
     * @param role what it is allowed to be
     * @param email its mail address, if it has one
     * @param displayName the name that readers see; the login where it is missing
     * @param password to sign in with; nobody can sign in where it is missing
     * @param applicationPassword for requests; none where it is missing
     */
    public record User(
            @NotBlank String login,

            @NotNull @Pattern(regexp = "subscriber|contributor|author|editor|administrator")
            String role,

            @Nullable String email,
            @Nullable String displayName,
            @Nullable String password,
            @Nullable String applicationPassword) {
        /** Does not print the passwords. */
        @Override
        public String toString() {
            return "User[login=" + login + "]";
        }
    }

    /**
     * The cache of public answers.
     *
     * @param enabled whether answers are kept at all
     * @param maxSize the most memory that these may take
     * @param ttl how long answers are kept without any public write
     * @param trustedCallers address ranges whose callers the protected routes obey
     * @param outsideAddress the address by which others see this server
     */
    public record Cache(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("32MB") DataSize maxSize,
            @DefaultValue("30s") Duration ttl,
            @DefaultValue List<String> trustedCallers,
            @DefaultValue("") String outsideAddress) {}

    /**
     * Uploads.
     *
     * @param maxUploadSize the largest file that is taken
     * @param orphanAge how old a file must be that no item names before it is removed, ten minutes or more, so that an upload is never one
     */
    public record Media(
            @DefaultValue("25MB") DataSize maxUploadSize,
            @DefaultValue("1h") @DurationMin(minutes = 10) Duration orphanAge) {}

    /**
     * Earlier wordings of an item. The oldest ones make room for a new one; those that tools save by themselves are one for
     * each author, and do not count.
     *
     * @param most how many earlier wordings of one item are kept, 2 to 10000
     * @param characters how many characters all earlier wordings of an item may have, 1 or more; the last two are kept whatever their length
     */
    public record Revisions(
            @DefaultValue("100") @Min(LEAST) @Max(10_000) int most,
            @DefaultValue("2097152") @Min(1) long characters) {
        /** Chosen: with fewer nothing could be taken back. */
        private static final int LEAST = 2;

        /**
         * Says how many wordings stay.
         *
         * @param length of the newest one, in characters
         * @return 2 or more; so many of that length have as many characters as are allowed
         */
        public int kept(long length) {
            return (int) Math.max(LEAST, Math.min(most, characters / Math.max(1, length)));
        }
    }

    /** Does not print the key. */
    @Override
    public String toString() {
        return "CmsSettings[dataDir=" + dataDir + "]";
    }
}
