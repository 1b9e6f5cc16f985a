package io.github.ratelimit.content.cms.security;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who may sign in, and what is known of them. Nothing in it is secret but the address, which only its owner and
 * those who manage accounts may see.
 *
 * @param id 1 or more
 * @param login the name to sign in with; never changes
 * @param address the mail address, if there is one
 * @param slug the name in addresses, unique
 * @param role what the account is allowed to be
 * @param profile what its owner says about themselves
 * @param registered when it was made
 */
public record Account(
        long id, String login, @Nullable String address, String slug, Role role, Profile profile, Instant registered) {

    /**
     * What the owner of an account says about themselves.
     *
     * @param displayName the name that readers see
     * @param firstName empty where it was not given
     * @param lastName empty where it was not given
     * @param nickname the login name where no other was given
     * @param url of a site of theirs, or empty
     * @param description of themselves, or empty
     * @param locale of the pages they would like to see, or empty for the site's
     */
    public record Profile(
            String displayName,
            String firstName,
            String lastName,
            String nickname,
            String url,
            String description,
            String locale) {

        /**
         * Makes the profile of somebody who said one thing only.
         *
         * @param displayName the name that readers see
         * @param login serves as the nickname
         * @return the profile
         */
        public static Profile named(String displayName, String login) {
            return new Profile(displayName, "", "", login, "", "", "");
        }
    }

    /**
     * Tells the mail address.
     *
     * @return empty where none is known
     */
    public Optional<String> email() {
        return Optional.ofNullable(address);
    }

    /**
     * Speaks for the account.
     *
     * @return the caller that it is
     */
    public Caller caller() {
        return Caller.account(id, login, role);
    }

    @Override
    public String toString() {
        return "account " + id;
    }
}
