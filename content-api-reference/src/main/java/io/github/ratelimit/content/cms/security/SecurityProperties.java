package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What accounts need to know from outside.
 *
 * @param dataDir where the server keeps its files, its key among them
 * @param serverKey base64 of 32 bytes or more, in place of the one in the data directory: for several servers on one
 *     database
 * @param passwordHashes how many slow hashes the server has time for
 * @param applicationPasswords whether applications may have passwords of their own
 * @param provision what is made at start
 */
@ConfigurationProperties("content-api")
record SecurityProperties(
        @DefaultValue("./data") Path dataDir,
        @Nullable String serverKey,
        @DefaultValue PasswordHashes passwordHashes,
        @DefaultValue ApplicationPasswordSettings applicationPasswords,
        @DefaultValue Provision provision) {

    /**
     * Hashes of passwords that people chose. Each takes about 0.1 s of one core.
     *
     * @param atOnce how many are computed at a time
     * @param waiting how many more may wait for that, each with a thread; others are told to come back
     */
    record PasswordHashes(
            @DefaultValue("1") int atOnce,
            @DefaultValue("20") int waiting) {
        PasswordHashes {
            require("at-once", atOnce, 1);
            require("waiting", waiting, 0);
        }

        private static void require(String name, int value, int least) {
            if (value < least || value > 1000) {
                throw new InvalidSettingException(
                        "content-api.password-hashes." + name,
                        "must be " + least + " to 1000, was " + value,
                        "A core computes about ten of them in a second.");
            }
        }
    }

    /**
     * Passwords of applications.
     *
     * @param enabled whether any is issued or accepted; those that are there are kept for when it is switched on again
     */
    record ApplicationPasswordSettings(@DefaultValue("true") boolean enabled) {}

    /**
     * What is made at start where it is missing.
     *
     * @param users accounts; never overwritten
     */
    record Provision(@DefaultValue List<User> users) {}

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
    record User(
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

    /** Does not print the key. */
    @Override
    public String toString() {
        return "SecurityProperties[dataDir=" + dataDir + "]";
    }
}
