package io.github.ratelimit.content.shared.container;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Does several things of which none waits for another: one that fails each time would keep all behind it for ever. Belongs to one thread.
 */
public final class EachByItself {
    /** Chosen: where more fail, it is hardly their doing, and each may take as long to fail as the database is waited for. */
    private static final int MOST = 10;

    private final Set<Object> failed = new HashSet<>();
    private @Nullable RuntimeException first;

    /**
     * Does something, unless it has failed already.
     *
     * @param what tells it from the others
     * @param step does it, and tells how much it was
     * @return the same; 0 where it fails
     * @throws RuntimeException the first failure, where many others have failed
     */
    public int of(Object what, IntSupplier step) {
        if (failed.contains(what)) {
            return 0;
        }
        try {
            return step.getAsInt();
        } catch (RuntimeException e) {
            Causes.requireMemory(e);
            failed.add(what);
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
            if (failed.size() >= MOST) {
                throw first;
            }
            return 0;
        }
    }

    /**
     * Tells of what failed, when all else is done.
     *
     * @throws RuntimeException the first failure; the others are suppressed by it
     */
    public void requireDone() {
        if (first != null) {
            throw first;
        }
    }
}
