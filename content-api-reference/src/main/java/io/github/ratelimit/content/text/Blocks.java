package io.github.ratelimit.content.text;

/** Contents that editors write as blocks: HTML between comments that name the blocks. */
final class Blocks {
    private Blocks() {}

    /**
     * Tells whether a content is made of blocks.
     *
     * @param raw the content as written
     * @return whether any block begins in it
     */
    static boolean has(String raw) {
        return raw.contains("<!-- wp:");
    }

    static String render(String raw) {
        return raw;
    }
}
