package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.term.Taxonomy;
import io.github.ratelimit.content.text.HtmlPolicy;
import io.github.ratelimit.content.text.SiteDates;
import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.ArgumentValues;
import io.github.ratelimit.content.web.RestRequest;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * What a caller wants an item to be: only what was sent, in its types, and without HTML that the caller may not write.
 *
 * @param title as written
 * @param content as written; of a file, its description
 * @param excerpt as written; of a file, its caption
 * @param status the wish; dates may turn it into another one
 * @param date when it is to be published
 * @param isDateReset whether the date is to be now again
 * @param slug cleaned; empty to make one of the title
 * @param author an account's id
 * @param password empty to take it away
 * @param parent another item's id, or 0
 * @param menuOrder the place among siblings
 * @param commentsOpen whether comments are welcome
 * @param pingsOpen whether announcements are welcome
 * @param format how to show it
 * @param sticky whether to keep it on top
 * @param featuredMedia a picture's id, or 0
 * @param terms ids for each taxonomy that was sent
 * @param footnotes what a tool wants to keep, not checked yet
 */
public record ItemInput(
        Optional<String> title,
        Optional<String> content,
        Optional<String> excerpt,
        Optional<ItemStatus> status,
        Optional<Instant> date,
        boolean isDateReset,
        Optional<String> slug,
        OptionalLong author,
        Optional<String> password,
        OptionalLong parent,
        OptionalLong menuOrder,
        Optional<Boolean> commentsOpen,
        Optional<Boolean> pingsOpen,
        Optional<String> format,
        Optional<Boolean> sticky,
        OptionalLong featuredMedia,
        Map<Taxonomy, List<Long>> terms,
        Optional<JsonNode> footnotes) {

    /**
     * Reads what a request sends.
     *
     * @param request with the arguments of {@link ItemSchemas#writable}
     * @param zone the site's
     * @return what it wants
     */
    public static ItemInput of(RestRequest request, ZoneId zone) {
        ArgumentValues sent = request.arguments();
        boolean isTrusted = request.caller().may(Capability.UNFILTERED_HTML);
        UnaryOperator<String> forTitle = isTrusted ? UnaryOperator.identity() : HtmlPolicy::cleanTitle;
        UnaryOperator<String> forText = isTrusted ? UnaryOperator.identity() : HtmlPolicy::cleanContent;
        Map<Taxonomy, List<Long>> terms = new EnumMap<>(Taxonomy.class);
        for (Taxonomy taxonomy : Taxonomy.values()) {
            if (sent.has(taxonomy.collection())) {
                terms.put(taxonomy, sent.integers(taxonomy.collection()));
            }
        }
        Optional<Instant> local = sent.text("date").flatMap(text -> SiteDates.parse(text, zone));
        Optional<Instant> utc = sent.text("date_gmt").flatMap(text -> SiteDates.parse(text, ZoneOffset.UTC));
        return new ItemInput(
                text(sent, "title").map(forTitle),
                text(sent, "content").or(() -> text(sent, "description")).map(forText),
                text(sent, "excerpt").or(() -> text(sent, "caption")).map(forText),
                sent.text("status").flatMap(ItemStatus::of),
                local.or(() -> utc),
                request.isSentAsNull("date") || request.isSentAsNull("date_gmt"),
                sent.text("slug").map(Slugs::of),
                sent.integer("author"),
                sent.text("password"),
                sent.integer("parent"),
                sent.integer("menu_order"),
                isOpen(sent, "comment_status"),
                isOpen(sent, "ping_status"),
                sent.text("format"),
                sent.value("sticky").map(JsonNode::booleanValue),
                sent.integer("featured_media"),
                terms,
                sent.value("meta").map(meta -> meta.get("footnotes")));
    }

    /**
     * Wishes other texts.
     *
     * @param title as written
     * @param content as written
     * @param excerpt as written
     * @return the changed copy
     */
    public ItemInput withTexts(Optional<String> title, Optional<String> content, Optional<String> excerpt) {
        return new ItemInput(
                title,
                content,
                excerpt,
                status,
                date,
                isDateReset,
                slug,
                author,
                password,
                parent,
                menuOrder,
                commentsOpen,
                pingsOpen,
                format,
                sticky,
                featuredMedia,
                terms,
                footnotes);
    }

    /**
     * Wishes another place.
     *
     * @param parent another item's id, or 0; empty to stay
     * @return the changed copy
     */
    public ItemInput withParent(OptionalLong parent) {
        return new ItemInput(
                title,
                content,
                excerpt,
                status,
                date,
                isDateReset,
                slug,
                author,
                password,
                parent,
                menuOrder,
                commentsOpen,
                pingsOpen,
                format,
                sticky,
                featuredMedia,
                terms,
                footnotes);
    }

    /** Text may be sent as it is, or as the member {@code raw}; anything else counts as not sent. */
    private static Optional<String> text(ArgumentValues sent, String name) {
        return sent.value(name)
                .map(value -> value.isObject() ? value.path("raw") : value)
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue);
    }

    private static Optional<Boolean> isOpen(ArgumentValues sent, String name) {
        return sent.text(name).map("open"::equals);
    }

    /**
     * Leaves out what only a deliberate write changes: terms, format, stickiness, picture and notes.
     *
     * @return the words, the status, the date, and what else belongs to the item itself
     */
    public ItemInput withoutExtras() {
        return new ItemInput(
                title,
                content,
                excerpt,
                status,
                date,
                isDateReset,
                slug,
                author,
                password,
                parent,
                menuOrder,
                commentsOpen,
                pingsOpen,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Map.of(),
                Optional.empty());
    }
}
