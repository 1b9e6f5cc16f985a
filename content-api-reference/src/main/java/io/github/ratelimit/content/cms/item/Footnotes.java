package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Markup;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/** The notes of an item as a text: a list of JSON, whose entries have an id and a content with markup. */
final class Footnotes {
    private static final Pattern NO_KEY = Pattern.compile("[^a-z0-9_-]");

    private Footnotes() {}

    /**
     * Leaves of the notes of somebody without the right to raw HTML what they may be: what is no list is nothing, and an entry
     * that lacks its id or its content is left out. An editor's tool makes markup of them in the browser.
     */
    static String clean(String notes, String site) {
        JsonNode sent = parsed(notes);
        if (!sent.isContainer()) {
            return "";
        }
        ArrayNode clean = JsonNodeFactory.instance.arrayNode();
        for (JsonNode note : sent.values()) {
            String id = note.path("id").asString("");
            String content = note.path("content").asString("");
            if (!Item.isNothing(id) && !Item.isNothing(content)) {
                clean.addObject()
                        .put("id", NO_KEY.matcher(Letters.lower(id)).replaceAll(""))
                        .put("content", HtmlPolicy.cleanContent(content, site));
            }
        }
        return RestJson.writePlain(clean);
    }

    /** Makes what readers see of the notes below a text: a list, in which each leads back to its place. Whoever wrote them, a
     * reader gets harmless markup. */
    static String html(String notes) {
        JsonNode sent = parsed(notes);
        if (!sent.isArray() || sent.isEmpty()) {
            return "";
        }
        StringBuilder list = new StringBuilder("<ol class=\"wp-block-footnotes\">");
        int number = 0;
        for (JsonNode note : sent.values()) {
            number++;
            list.append(
                    "<li id=\"%1$s\">%2$s <a href=\"#%1$s-link\" aria-label=\"Jump to footnote reference %3$d\">\u21a9\ufe0e</a></li>"
                            .formatted(
                                    Markup.encoded(note.path("id").asString("")),
                                    HtmlPolicy.cleanContent(note.path("content").asString("")),
                                    number));
        }
        return list.append("</ol>").toString();
    }

    /** Most items have no notes, and a parser throws for an empty text. */
    private static JsonNode parsed(String notes) {
        return (notes.isBlank() ? Optional.<JsonNode>empty() : RestJson.value(notes)).orElse(MissingNode.getInstance());
    }
}
