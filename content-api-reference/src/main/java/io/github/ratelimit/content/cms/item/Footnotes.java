package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.LetterCase;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The notes of an item as a text: a list of JSON, whose entries have an id and a content with markup. */
final class Footnotes {
    private static final Pattern NO_KEY = Pattern.compile("[^a-z0-9_-]");

    private Footnotes() {}

    /**
     * Leaves of the notes of somebody without the right to raw HTML what they may be: what is no list is nothing, and an entry
     * that lacks its id or its content is left out. An editor's tool makes markup of them in the browser.
     */
    static String clean(String notes) {
        JsonNode sent = RestJson.value(notes).orElse(null);
        if (sent == null || !sent.isContainer()) {
            return "";
        }
        ArrayNode clean = JsonNodeFactory.instance.arrayNode();
        for (JsonNode note : sent.values()) {
            String id = note.path("id").asString("");
            String content = note.path("content").asString("");
            if (isSaid(id) && isSaid(content)) {
                clean.addObject()
                        .put("id", NO_KEY.matcher(LetterCase.lower(id)).replaceAll(""))
                        .put("content", HtmlPolicy.cleanContent(content));
            }
        }
        return RestJson.writePlain(clean);
    }

    private static boolean isSaid(String text) {
        return !text.isEmpty() && !text.equals("0");
    }
}
