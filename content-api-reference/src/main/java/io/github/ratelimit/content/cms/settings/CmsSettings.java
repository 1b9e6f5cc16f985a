package io.github.ratelimit.content.cms.settings;

import static io.github.ratelimit.content.server.settings.InvalidSettingException.require;
import static io.github.ratelimit.content.server.settings.SettingRange.requireSize;
import static io.github.ratelimit.content.server.settings.SettingRange.requireTime;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.http.AddressRange;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the content interface. Immutable; a value that the server cannot run with is refused with an {@link
 * InvalidSettingException}. Times are a hundred years at most.
 *
 * @param dataDir where the server keeps its files, its key and the embedded database
 * @param serverKey base64 of 32 bytes or more, in place of the key in the data directory: the same one for several servers
 *     on one database
 * @param baseUrl the address that answers carry; empty to go by the request
 * @param site what the site says of itself
 * @param passwordHashes hashes of passwords that people chose
 * @param applicationPasswords passwords of applications
 * @param provision what is made at start where it is missing
 * @param cache the cache of public pages
 * @param media uploads
 * @param revisions earlier wordings of items
 * @param publishInterval how often it is looked for posts that are due to be published, and for public changes of other servers; a millisecond or more
 */
@ConfigurationProperties("content-api")
public record CmsSettings(
        @DefaultValue("./data") Path dataDir,
        @Nullable String serverKey,
        @DefaultValue("") String baseUrl,
        @DefaultValue Site site,
        @DefaultValue PasswordHashes passwordHashes,
        @DefaultValue ApplicationPasswords applicationPasswords,
        @DefaultValue Provision provision,
        @DefaultValue Cache cache,
        @DefaultValue Media media,
        @DefaultValue Revisions revisions,
        @DefaultValue("1s") Duration publishInterval) {
    /** Checks the values. */
    public CmsSettings {
        requireTime("content-api.publish-interval", publishInterval, "1ms", "1s");
    }

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
            @DefaultValue("1") int atOnce,
            @DefaultValue("20") int waiting) {
        /** Checks the values. */
        public PasswordHashes {
            require(within(atOnce, 1, 1000), NAME + "at-once", "must be 1 to 1000", atOnce, REMEDY);
            require(within(waiting, 0, 1000), NAME + "waiting", "must be 0 to 1000", waiting, REMEDY);
        }

        private static final String NAME = "content-api.password-hashes.";
        private static final String REMEDY = "A core computes about ten of them in a second.";
    }

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
    public record Provision(@DefaultValue List<User> users) {}

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
            @Nullable String login,
            @Nullable String role,
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
     * The cache of public pages.
     *
     * @param enabled whether pages and answers are kept at all
     * @param maxSize the most memory that these may take, 0 to 1024 TB
     * @param ttl how long pages and answers are kept without any public write, a millisecond or more
     * @param trustedCallers address ranges whose callers the protected routes obey
     * @param outsideAddress the address by which others see this server; empty to find out
     */
    public record Cache(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("32MB") DataSize maxSize,
            @DefaultValue("30s") Duration ttl,
            @DefaultValue List<String> trustedCallers,
            @DefaultValue("") String outsideAddress) {
        /** Checks the values. */
        public Cache {
            trustedCallers.forEach(Cache::requireRange);
            requireSize("content-api.cache.max-size", maxSize, "0B", "32MB");
            requireTime("content-api.cache.ttl", ttl, "1ms", "30s, or content-api.cache.enabled to false");
        }

        private static void requireRange(String range) {
            try {
                AddressRange.parse(range);
            } catch (IllegalArgumentException e) {
                throw new InvalidSettingException(
                        "content-api.cache.trusted-callers",
                        String.valueOf(e.getMessage()),
                        "write ranges like 192.0.2.0/24 or 2001:db8::/32");
            }
        }
    }

    /**
     * Uploads.
     *
     * @param maxUploadSize the largest file that is taken, 1 byte to 1024 TB
     * @param orphanAge how old a file must be that no item names before it is removed, ten minutes or more
     */
    public record Media(
            @DefaultValue("25MB") DataSize maxUploadSize,
            @DefaultValue("1h") Duration orphanAge) {
        /** Chosen: no item is stored so long after the last byte of its file, which would go before. */
        private static final String LEAST_AGE = "10m";

        /** Checks the values. */
        public Media {
            requireSize("content-api.media.max-upload-size", maxUploadSize, "1B", "25MB");
            requireTime("content-api.media.orphan-age", orphanAge, LEAST_AGE, "1h");
        }
    }

    /**
     * Earlier wordings of an item. The oldest ones make room for a new one; those that tools save by themselves are one for
     * each author, and do not count.
     *
     * @param most how many earlier wordings of one item are kept, 2 to 10000
     * @param characters how many characters all earlier wordings of an item may have, 1 to 2^40; the last two are kept whatever their length
     */
    public record Revisions(
            @DefaultValue("100") int most,
            @DefaultValue("2097152") long characters) {
        /** Checks the values. */
        public Revisions {
            require(within(most, LEAST, 10_000), NAME + "most", "must be 2 to 10000", most, REMEDY);
            require(within(characters, 1, 1L << 40), NAME + "characters", "must be 1 to 2^40", characters, REMEDY);
        }

        private static final String NAME = "content-api.revisions.";
        private static final String REMEDY = "Each wording is a whole copy of an item's texts.";
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

    private static boolean within(long value, long least, long most) {
        return value >= least && value <= most;
    }

    /** Does not print the key. */
    @Override
    public String toString() {
        return "CmsSettings[dataDir=" + dataDir + "]";
    }
}
