package io.github.ratelimit.content.cms.security;

/** What accounts wrote, as far as accounts need to know of it. Whoever keeps content provides it. */
public interface AuthoredContent {
    /**
     * Says of an account whether it is the author of something published.
     *
     * @return constant SQL on the column {@code a.id}
     */
    String isPublicAuthor();

    /**
     * Gives all items of an account to another one. Outside of a transaction some at a time: a repeat finishes what was begun.
     *
     * @param from whose they are
     * @param to whose they will be
     * @param before run in each transaction before anything is given; what it throws ends what is left
     */
    void handOver(long from, long to, Runnable before);

    /**
     * Deletes all items of an account for good. Outside of a transaction some at a time: a repeat finishes what was begun.
     *
     * @param author whose they are
     */
    void deleteAllOf(long author);
}
