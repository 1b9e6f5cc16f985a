package io.github.ratelimit.content.shared.storage;

import java.util.Set;

/** Learns what was changed in the database, once others see it, whoever changed it. */
@FunctionalInterface
public interface ChangeListener {
    /**
     * Takes note of a change.
     *
     * @param parts of the database, as {@link Parts} names them; {@link Parts#ANY} among them where they are not known
     */
    void changed(Set<String> parts);

    /**
     * Takes note of a change that is about to be committed; what it writes is committed with it. Without a transaction the change is committed already.
     *
     * @param parts all that is changed, as above
     */
    default void committing(Set<String> parts) {}
}
