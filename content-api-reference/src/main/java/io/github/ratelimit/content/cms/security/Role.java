package io.github.ratelimit.content.cms.security;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an account is allowed to be: each role may do what the role before it may, and what {@link Capability} adds. */
public enum Role {
    /** Reads, and owns an account. */
    SUBSCRIBER,

    /** Writes posts that someone else publishes. */
    CONTRIBUTOR,

    /** Publishes own posts, and uploads. */
    AUTHOR,

    /** Answers for all content of the site. */
    EDITOR,

    /** Answers for accounts and for the server too. */
    ADMINISTRATOR;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /**
     * Finds a role by the name that it has in properties and in answers.
     *
     * @param wireName for example {@code editor}; upper case is another name
     * @return empty where there is no such role
     */
    public static Optional<Role> of(String wireName) {
        return Arrays.stream(values())
                .filter(role -> role.wireName.equals(wireName))
                .findFirst();
    }

    /**
     * Says whether accounts of this role may do something.
     *
     * @param capability what they want to do
     * @return whether the table lists it
     */
    public boolean may(Capability capability) {
        return capability.isOf(this);
    }

    /**
     * Lists all that accounts of this role may do.
     *
     * @return in the order of the capabilities; cannot be changed
     */
    public List<Capability> capabilities() {
        return Arrays.stream(Capability.values()).filter(this::may).toList();
    }

    /**
     * Names the role as properties and answers do.
     *
     * @return lower case letters
     */
    public String wireName() {
        return wireName;
    }
}
