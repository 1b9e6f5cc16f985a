package io.github.ratelimit.content.security;

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
 * @param provision what is made at start
 */
@ConfigurationProperties("content-api")
record SecurityProperties(
        @DefaultValue("./data") Path dataDir,
        @Nullable String serverKey,
        @DefaultValue Provision provision) {

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
