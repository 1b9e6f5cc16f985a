package io.github.ratelimit.content.cms.security;

import static io.github.ratelimit.content.cms.security.Capability.*;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an account is allowed to be, and the one table of who may do what: each role may do what it lists and what the
 * role before it may, and nothing else.
 */
public enum Role {
    /** Reads, and owns an account. */
    SUBSCRIBER(null, READ),

    /** Writes posts that someone else publishes. */
    CONTRIBUTOR(SUBSCRIBER, EDIT_POSTS, DELETE_POSTS, USE_PROXY),

    /** Publishes own posts, and uploads. */
    AUTHOR(CONTRIBUTOR, PUBLISH_POSTS, EDIT_PUBLISHED_POSTS, DELETE_PUBLISHED_POSTS, UPLOAD_FILES),

    /** Answers for all content of the site. */
    EDITOR(
            AUTHOR,
            EDIT_OTHERS_POSTS,
            EDIT_PRIVATE_POSTS,
            READ_PRIVATE_POSTS,
            DELETE_OTHERS_POSTS,
            DELETE_PRIVATE_POSTS,
            EDIT_PAGES,
            EDIT_PUBLISHED_PAGES,
            EDIT_OTHERS_PAGES,
            EDIT_PRIVATE_PAGES,
            READ_PRIVATE_PAGES,
            PUBLISH_PAGES,
            DELETE_PAGES,
            DELETE_PUBLISHED_PAGES,
            DELETE_OTHERS_PAGES,
            DELETE_PRIVATE_PAGES,
            UNFILTERED_HTML,
            MANAGE_TERMS),

    /** Answers for accounts and for the server too. */
    ADMINISTRATOR(EDITOR, LIST_USERS, CREATE_USERS, EDIT_USERS, PROMOTE_USERS, DELETE_USERS, MANAGE_SITE);

    private final String wireName = name().toLowerCase(Locale.ROOT);
    // The set is wrapped against changes; the checker knows its type only.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Capability> capabilities;

    Role(@Nullable Role base, Capability... further) {
        EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
        if (base != null) {
            all.addAll(base.capabilities);
        }
        Collections.addAll(all, further);
        capabilities = Collections.unmodifiableSet(all);
    }

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
        return capabilities.contains(capability);
    }

    /**
     * Lists all that accounts of this role may do.
     *
     * @return in the order of the capabilities; cannot be changed
     */
    public Set<Capability> capabilities() {
        return capabilities;
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
