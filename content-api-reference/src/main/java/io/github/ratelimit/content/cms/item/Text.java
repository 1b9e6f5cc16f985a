package io.github.ratelimit.content.cms.item;

/**
 * A text as it was written, and as it is read.
 *
 * @param raw what an editor sees
 * @param rendered what a reader sees; made when the text was written
 */
public record Text(String raw, String rendered) {
    /** No text. */
    public static final Text NONE = new Text("", "");
}
