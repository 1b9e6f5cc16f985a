package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.Rendering;

/**
 * A text as it was written, and as it is read.
 *
 * @param raw what an editor sees
 * @param rendered what a reader sees; made when the text was written
 */
public record Text(String raw, String rendered) {
    /** No text. */
    public static final Text NONE = new Text("", "");

    Text with(ItemChanges changes, ItemColumn rawColumn, ItemColumn renderedColumn) {
        return new Text(changes.get(rawColumn, raw), changes.get(renderedColumn, rendered));
    }

    /** Names the item where the rendered text leads to parts of itself. */
    Text named(long item) {
        return new Text(raw, Rendering.named(rendered, item));
    }
}
