package io.github.ratelimit.content.cms.item;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How far an item has come. */
public enum ItemStatus {
    /** For everybody. */
    PUBLISH,
    /** Will be published when its time comes. */
    FUTURE,
    /** Being written. */
    DRAFT,
    /** Waits for someone who may publish it. */
    PENDING,
    /** For its author, and for those who may read private items. */
    PRIVATE,
    /** Thrown away, and can be brought back. */
    TRASH,
    /** Begun by an editor's tool and never saved. */
    AUTO_DRAFT,
    /** Follows the item that it belongs to. */
    INHERIT,
    /** Known as a filter only. */
    REQUEST_PENDING,
    /** Known as a filter only. */
    REQUEST_CONFIRMED,
    /** Known as a filter only. */
    REQUEST_FAILED,
    /** Known as a filter only. */
    REQUEST_COMPLETED;

    private static final Set<ItemStatus> UNFINISHED = Set.of(DRAFT, PENDING, AUTO_DRAFT);

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /**
     * Finds a status by its name.
     *
     * @param wireName for example {@code auto-draft}
     * @return empty where there is none
     */
    public static Optional<ItemStatus> of(String wireName) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wireName))
                .findFirst();
    }

    /**
     * Names the status as requests and answers do.
     *
     * @return for example {@code auto-draft}
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Says whether an item of this status has neither a slug nor a date of its own, unless someone chose them.
     *
     * @return whether the item is still being written
     */
    public boolean isUnfinished() {
        return UNFINISHED.contains(this);
    }
}
