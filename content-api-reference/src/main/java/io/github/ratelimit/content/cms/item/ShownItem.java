package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.Item.Text;
import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.Term;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An item as an answer shows it, with all that its members are made of.
 *
 * @param request who asks, and in which words
 * @param item what is shown
 * @param context how much of it
 * @param zone the site's
 * @param isOpen whether its text may be read
 * @param sorted the terms that it has
 * @param slugs makes the slug that the title of an item stands for
 */
public record ShownItem(
        RestRequest request,
        Item item,
        Context context,
        ZoneId zone,
        boolean isOpen,
        List<Term> sorted,
        Function<Item, String> slugs) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    String generatedSlug() {
        return slugs.apply(item);
    }

    /**
     * Spells the address of the item's public page.
     *
     * @return whole
     */
    public String page() {
        return item.type().page(request.baseUrl(), item.id());
    }

    /**
     * Tells when it was or will be published, in the site's time.
     *
     * @return without a zone
     */
    public String date() {
        return SiteDates.print(item.published(), zone);
    }

    /**
     * Tells when it was or will be published, in UTC.
     *
     * @return without a zone
     */
    public String dateInUtc() {
        return SiteDates.print(item.published(), ZoneOffset.UTC);
    }

    /**
     * Tells when it was last written, in the site's time.
     *
     * @return without a zone
     */
    public String modified() {
        return SiteDates.print(item.modified(), zone);
    }

    /**
     * Tells when it was last written, in UTC.
     *
     * @return without a zone
     */
    public String modifiedInUtc() {
        return SiteDates.print(item.modified(), ZoneOffset.UTC);
    }

    /**
     * Shows the title.
     *
     * @return a tree of its own
     */
    public ObjectNode title() {
        return text(item.title());
    }

    /**
     * Shows the address that never changes.
     *
     * @return a tree of its own
     */
    public ObjectNode guid() {
        return guid(page());
    }

    /**
     * Shows a text: to editors what was written, too.
     *
     * @param text what it says
     * @return a tree of its own
     */
    public ObjectNode text(Text text) {
        return text(text.raw(), text.rendered());
    }

    /**
     * Shows an address that never changes.
     *
     * @param address the address
     * @return a tree of its own
     */
    public ObjectNode guid(String address) {
        ObjectNode guid = JSON.objectNode().put("rendered", address);
        return context == Context.EDIT ? guid.put("raw", address) : guid;
    }

    private ObjectNode text(String raw, String rendered) {
        ObjectNode shown = JSON.objectNode();
        if (context == Context.EDIT) {
            shown.put("raw", raw);
        }
        return shown.put("rendered", rendered);
    }

    private ObjectNode guarded(Text text, String rendered) {
        return text(text.raw(), isOpen ? rendered : "").put("protected", item.isGuarded());
    }

    JsonNode meta() {
        String notes = isOpen ? item.footnotes() : ""; // of a guarded text: whatever guards it guards its notes
        return item.type().has(Feature.TEXT) ? JSON.objectNode().put("footnotes", notes) : JSON.arrayNode();
    }

    ObjectNode content() {
        ObjectNode content = guarded(item.content(), isOpen ? item.content().rendered() : "");
        return context == Context.EDIT ? content.put("block_version", item.blockVersion()) : content;
    }

    /**
     * Shows the content of a wording, which nothing guards.
     *
     * @return a tree of its own
     */
    public ObjectNode wording() {
        return text(item.content());
    }

    ObjectNode excerpt() {
        return guarded(item.excerpt(), isOpen ? renderedExcerpt() : "");
    }

    /** Excerpts of another length than the usual one are the only texts that are rendered when they are read. */
    private String renderedExcerpt() {
        // Lists and writes do not declare the length, and follow it all the same.
        boolean isSent =
                request.raw("excerpt_length").filter(sent -> !sent.isNull()).isPresent();
        if (!isSent || !item.excerpt().raw().isEmpty()) {
            return item.excerpt().rendered();
        }
        long words = request.rawInteger("excerpt_length").orElse(0L);
        int most = (int) Math.max(-1, Math.min(words, Integer.MAX_VALUE));
        return Rendering.excerpt(item.content().raw(), most);
    }

    ArrayNode terms(Taxonomy taxonomy) {
        ArrayNode ids = JSON.arrayNode();
        sorted.stream().filter(term -> term.taxonomy() == taxonomy).forEach(term -> ids.add(term.id()));
        return ids;
    }

    /** Names the classes for the item's element on a page. */
    ArrayNode classes() {
        ArrayNode classes = JSON.arrayNode();
        String type = item.type().wireName();
        classes.add("post-" + item.id());
        classes.add(type);
        classes.add("type-" + type);
        classes.add("status-" + item.status().wireName());
        boolean hasFormat = item.type().has(Feature.FORMATS);
        if (hasFormat) {
            classes.add("format-" + item.format());
        }
        if (item.isGuarded()) {
            classes.add("post-password-required");
        } else if (item.featuredMedia() > 0) {
            classes.add("has-post-thumbnail");
        }
        classes.add("hentry");
        for (Taxonomy taxonomy : Taxonomy.values()) {
            sorted.stream()
                    .filter(term -> term.taxonomy() == taxonomy)
                    .forEach(term -> classes.add(taxonomy.cssClass(term.slug())));
        }
        if (hasFormat && !item.format().equals("standard")) {
            classes.add("post_format-post-format-" + item.format());
        }
        return classes;
    }
}
