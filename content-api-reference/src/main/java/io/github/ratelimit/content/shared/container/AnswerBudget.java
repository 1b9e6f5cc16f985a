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
     * Takes what an answer needs that is written however long it is, since a client can ask for no less. It waits for room all the same.
     *
     * @param characters of the texts that it shows
     * @throws UnavailableException if all answers together may not show so much at the moment
     */
    default void takeAnyLength(long characters) {
        take(characters);
    }
}
