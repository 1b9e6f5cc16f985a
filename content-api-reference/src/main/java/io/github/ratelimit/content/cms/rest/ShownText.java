package io.github.ratelimit.content.cms.rest;

/** How much is shown of the texts that one request writes, those of all members of a batch together. Belongs to one thread. */
final class ShownText {
    private long characters;

    /**
     * Counts what one of the requests shows, in the place of what it was counted with before: a write may start over.
     *
     * @return all of them together, as it is now
     */
    long replace(long before, long now) {
        characters += now - before;
        return characters;
    }
}
