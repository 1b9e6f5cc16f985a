package io.github.ratelimit;

/** How a limit counts. Names a definition; every store restates it and {@code StoreContract} proves that they agree. */
public enum Algorithm {

    /**
     * Counts from a key's first request until the window's end, then starts anew with the next request.
     *
     * <p>At most {@link Limit#permits()} are granted within one window; across the border of two windows up to twice as many can
     * come close together. Windows of different keys start at different moments, so that their resets spread out.
     */
    FIXED_WINDOW
}
