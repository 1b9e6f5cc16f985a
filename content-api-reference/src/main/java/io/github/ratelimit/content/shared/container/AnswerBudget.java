package io.github.ratelimit.content.shared.container;

/** What answers may take of the memory: to be asked before what they show is read. Safe for concurrent use. */
@FunctionalInterface
public interface AnswerBudget {
    /**
     * Takes what the answer to the request of this thread needs, until that request ends. Without a request nothing is
     * bounded.
     *
     * @param characters of the texts that it shows
     * @throws UnavailableException if one answer may not show so much, or all together do not at the moment
     */
    void take(long characters);

    /**
     * Takes the same for an answer that may be as long as all together.
     *
     * @param characters of the texts that it shows
     * @throws UnavailableException if all together may not show so much, or do not at the moment
     */
    default void takeAnyLength(long characters) {
        take(characters);
    }
}
