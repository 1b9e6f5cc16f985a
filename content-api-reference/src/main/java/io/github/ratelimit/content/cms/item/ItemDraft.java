package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.text.BlockMarkup;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Markup;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a caller wants an item to be: only the fields that were sent, and without HTML that the caller may not write.
 *
 * <p>The table of the item's fields fills it. {@link #applyTo} checks the rules and makes the columns that change;
 * {@link ItemWriter} adds the columns that need other items. Each setter returns this. Belongs to one thread.
 */
public final class ItemDraft {
    /** Around a title they are left out; of other spaces, such as that of ideographs, nothing is known. */
    private static final String SPACES = " \t\n\r\u000b\0";

    /** A publication this near counts as now. Clients rely on it. */
    private static final Duration NEAR = Duration.ofMinutes(1);

    private static final int LAST_YEAR = 9999;

    private final ZoneId zone;
    private final String baseUrl;
    private final boolean isTrusted;
    /** The fields that are a column without further rules. */
    private final ItemChanges columns = new ItemChanges();

    private final Map<Taxonomy, List<Long>> terms = new EnumMap<>(Taxonomy.class);
    private final Map<ItemColumn, String> texts = new EnumMap<>(ItemColumn.class);
    private @Nullable ItemStatus status;
    private @Nullable Instant date;
    private boolean isDateReset;
    private @Nullable String slug;
    private @Nullable Long parent;
    private @Nullable Long picture;
    private boolean hasWrongFootnotes;

    private ItemDraft(ZoneId zone, String baseUrl, boolean isTrusted) {
        this.zone = zone;
        this.baseUrl = baseUrl;
        this.isTrusted = isTrusted;
    }

    /**
     * Reads what a request sends.
     *
     * @param request with the arguments of {@link ItemFields#writable}
     * @param fields the members that it may send
     * @param zone the site's
     * @return what it wants
     */
    public static ItemDraft of(RestRequest request, Fields<?, ItemDraft> fields, ZoneId zone) {
        boolean isTrusted = request.caller().may(Capability.UNFILTERED_HTML);
        return fields.write(request.arguments(), new ItemDraft(zone, request.baseUrl(), isTrusted));
    }

    /**
     * Wishes a value for a column that has no rule.
     *
     * @param column which
     * @param value what
     * @return this
     */
    public ItemDraft set(ItemColumn column, Object value) {
        columns.set(column, value);
        return this;
    }

    ItemDraft setOpen(ItemColumn column, JsonNode sent) {
        String word = sent.stringValue();
        return word.isEmpty() ? this : set(column, word.equals("open"));
    }

    ItemDraft date(JsonNode sent) {
        return date(sent, zone);
    }

    ItemDraft dateInUtc(JsonNode sent) {
        return date(sent, ZoneOffset.UTC);
    }

    /** The site's time is read first, and counts. */
    private ItemDraft date(JsonNode sent, ZoneId in) {
        if (sent.isNull()) {
            isDateReset = true;
        } else if (date == null) {
            date = SiteDates.parse(sent.stringValue(), in).orElse(null);
        }
        return this;
    }

    ItemDraft slug(JsonNode sent) {
        String wish = Slugs.of(sent.stringValue());
        slug = Item.isNothing(wish) ? "" : wish;
        return this;
    }

    ItemDraft status(JsonNode sent) {
        status = ItemStatus.of(sent.stringValue()).orElse(ItemStatus.DRAFT);
        return this;
    }

    /** An empty title counts as sent where it is text, and as forgotten where it is a member. */
    ItemDraft title(JsonNode sent) {
        text(sent)
                .filter(text -> sent.isString() || !Item.isNothing(text))
                .ifPresent(text -> texts.put(ItemColumn.TITLE, keptTitle(stripped(text, SPACES))));
        return this;
    }

    /**
     * Wishes another text.
     *
     * @param sent as an argument; of a file, its description
     * @return this
     */
    public ItemDraft content(JsonNode sent) {
        return text(ItemColumn.CONTENT, sent);
    }

    /**
     * Wishes another text in short.
     *
     * @param sent as an argument; of a file, its caption
     * @return this
     */
    public ItemDraft excerpt(JsonNode sent) {
        return text(ItemColumn.EXCERPT, sent);
    }

    ItemDraft author(JsonNode sent) {
        return sent.longValue() == 0 ? this : set(ItemColumn.AUTHOR_ID, sent.longValue());
    }

    ItemDraft picture(JsonNode sent) {
        picture = Paging.absolute(sent.longValue());
        return this;
    }

    /**
     * Wishes another place.
     *
     * @param sent another item's id, or 0
     * @return this
     */
    public ItemDraft parent(JsonNode sent) {
        parent = sent.longValue();
        return this;
    }

    ItemDraft format(JsonNode sent) {
        return sent.stringValue().isEmpty() ? this : set(ItemColumn.FORMAT, sent.stringValue());
    }

    ItemDraft meta(JsonNode sent) {
        JsonNode notes = sent.path("footnotes");
        hasWrongFootnotes = !notes.isMissingNode() && !notes.isNull() && !notes.isString();
        if (notes.isMissingNode() || hasWrongFootnotes) {
            return this;
        }
        String text = notes.asString("");
        return set(ItemColumn.FOOTNOTES, isTrusted ? text : Footnotes.clean(text, baseUrl));
    }

    ItemDraft terms(Taxonomy taxonomy, JsonNode sent) {
        List<Long> ids = new ArrayList<>();
        sent.forEach(id -> ids.add(Paging.absolute(id.longValue())));
        terms.put(taxonomy, ids);
        return this;
    }

    /**
     * Wishes texts, as they are, in the place of those that were sent.
     *
     * @param title as written
     * @param content as written; of a file, its description
     * @param excerpt as written; of a file, its caption
     * @return this
     */
    public ItemDraft withTexts(Optional<String> title, Optional<String> content, Optional<String> excerpt) {
        texts.clear();
        title.ifPresent(text -> texts.put(ItemColumn.TITLE, text));
        content.ifPresent(text -> texts.put(ItemColumn.CONTENT, text));
        excerpt.ifPresent(text -> texts.put(ItemColumn.EXCERPT, text));
        return this;
    }

    /**
     * Spells the blocks of the text in the way in which items store them.
     *
     * @return this
     */
    public ItemDraft withBlocksSpelled() {
        texts.computeIfPresent(ItemColumn.CONTENT, (column, text) -> BlockMarkup.stored(text));
        return this;
    }

    /**
     * Wishes no picture.
     *
     * @return this
     */
    public ItemDraft withoutFeaturedMedia() {
        picture = null;
        return this;
    }

    /** Leaves out what only a deliberate write changes: terms, format, template, stickiness, picture and notes. */
    ItemDraft withoutExtras() {
        List.of(ItemColumn.FORMAT, ItemColumn.TEMPLATE, ItemColumn.STICKY, ItemColumn.FOOTNOTES)
                .forEach(columns::remove);
        terms.clear();
        hasWrongFootnotes = false;
        return withoutFeaturedMedia();
    }

    /**
     * Tells the title.
     *
     * @return as written
     */
    public Optional<String> title() {
        return Optional.ofNullable(texts.get(ItemColumn.TITLE));
    }

    /**
     * Tells the text itself.
     *
     * @return as written; of a file, its description
     */
    public Optional<String> content() {
        return Optional.ofNullable(texts.get(ItemColumn.CONTENT));
    }

    /**
     * Tells the text in short.
     *
     * @return as written; of a file, its caption
     */
    public Optional<String> excerpt() {
        return Optional.ofNullable(texts.get(ItemColumn.EXCERPT));
    }

    /** Tells the notes of an editor's tool. */
    Optional<String> footnotes() {
        return Optional.ofNullable((String) columns.get(ItemColumn.FOOTNOTES));
    }

    /** Replaces the texts that were sent. */
    Item.Originals over(Item.Originals stored) {
        return new Item.Originals(
                title().orElse(stored.title()),
                content().orElse(stored.content()),
                excerpt().orElse(stored.excerpt()),
                footnotes().orElse(stored.footnotes()));
    }

    /** The same, where the caller may not write some HTML of the texts that stay. */
    Item.Originals cleanedOver(Item.Originals stored) {
        return new Item.Originals(
                title().orElseGet(() -> keptTitle(stored.title())),
                content().orElseGet(() -> keptText(stored.content())),
                excerpt().orElseGet(() -> keptText(stored.excerpt())),
                footnotes().orElse(stored.footnotes()));
    }

    /** Tells the status; dates may turn it into another one. */
    Optional<ItemStatus> status() {
        return Optional.ofNullable(status);
    }

    /** Tells the slug, cleaned; empty text to make one of the title. */
    Optional<String> slug() {
        return Optional.ofNullable(slug);
    }

    /** Tells the account that it is to belong to. */
    Optional<Long> author() {
        return Optional.ofNullable((Long) columns.get(ItemColumn.AUTHOR_ID));
    }

    /** Tells what it is to stand below: another item's id, or 0. */
    OptionalLong parent() {
        return parent == null ? OptionalLong.empty() : OptionalLong.of(parent);
    }

    /** Tells what picture is to stand for it: an id, or 0. */
    OptionalLong picture() {
        return picture == null ? OptionalLong.empty() : OptionalLong.of(picture);
    }

    /** Tells the ids of the terms of each taxonomy that was sent. */
    Map<Taxonomy, List<Long>> terms() {
        return terms;
    }

    /**
     * Adds the columns that follow from the item and from what was sent, but for its place, its slug and its picture.
     *
     * @param current as it is, or blank
     * @param changes its rendered texts
     * @param now in whole seconds
     * @return the changes
     * @throws RestError if the item would break a rule
     */
    ItemChanges applyTo(Item current, ItemChanges changes, Instant now) {
        checkPassword(current);
        checkTexts(current);
        Optional<Instant> wished = isDateReset ? Optional.empty() : Optional.ofNullable(date);
        wished.ifPresent(ItemDraft::checkDate);
        boolean isRedated =
                wished.filter(date -> !date.equals(current.published())).isPresent();
        boolean isNow = !isRedated && (isDateReset || current.isUndated());
        Instant published = isNow ? now : wished.orElse(current.published());
        ItemStatus next =
                allowed(current.type(), status().orElse(current.status()), published.isBefore(now.plus(NEAR)));
        changes.set(columns).status(next).set(ItemColumn.MODIFIED_AT, current.isBlank() ? published : now);
        if (isRedated || isNow) {
            changes.set(ItemColumn.PUBLISHED_AT, published).set(ItemColumn.UNDATED, isNow && next.isUnfinished());
        }
        if (next == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
        if (current.status() == ItemStatus.TRASH && next != ItemStatus.TRASH) {
            changes.set(ItemColumn.TRASHED_SLUG, null).set(ItemColumn.TRASHED_STATUS, null);
        }
        return changes;
    }

    private void checkPassword(Item current) {
        boolean guards = columns.get(ItemColumn.PASSWORD) instanceof String password && !password.isEmpty();
        boolean sticks = Boolean.TRUE.equals(columns.get(ItemColumn.STICKY));
        if (guards && sticks) {
            throw RestError.of(400, "rest_invalid_field", "A post can not be sticky and have a password.");
        }
        if (guards && current.isSticky()) {
            throw RestError.of(400, "rest_invalid_field", "A sticky post can not be password protected.");
        }
        if (sticks && current.isGuarded()) {
            throw RestError.of(400, "rest_invalid_field", "A password protected post can not be set to sticky.");
        }
    }

    /** Only posts must have a text. */
    private void checkTexts(Item current) {
        Item.Originals texts = over(current.originals());
        if (current.type() == ItemType.POST
                && Stream.of(texts.title(), texts.content(), texts.excerpt()).allMatch(Item::isNothing)) {
            throw RestError.of(400, "empty_content", "Content, title, and excerpt are empty.");
        }
    }

    private static void checkDate(Instant date) {
        int year = date.atOffset(ZoneOffset.UTC).getYear();
        if (year < 1 || year > LAST_YEAR) {
            throw RestError.of(400, "invalid_date", "Invalid date.");
        }
    }

    /** Turns a wished status into the one that the item's type and date allow. */
    private static ItemStatus allowed(ItemType type, ItemStatus wished, boolean isDue) {
        if (type == ItemType.ATTACHMENT) {
            // A file is as public as its owner, unless it is private.
            return wished == ItemStatus.PRIVATE || wished == ItemStatus.TRASH ? wished : ItemStatus.INHERIT;
        }
        return switch (wished) {
            case PUBLISH, FUTURE -> isDue ? ItemStatus.PUBLISH : ItemStatus.FUTURE;
            default -> wished;
        };
    }

    /** Says whether footnotes of another type than text were sent. */
    boolean hasWrongFootnotes() {
        return hasWrongFootnotes;
    }

    /** Rejects footnotes of another type than text, after the rest was stored. Clients rely on that order. */
    void checkFootnotes() {
        if (hasWrongFootnotes) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            throw RestError.of(400, "rest_invalid_type", "meta.footnotes is not of type string.")
                    .withAdditional(json.arrayNode().add(json.objectNode().put("param", "meta.footnotes")));
        }
    }

    private String keptTitle(String text) {
        return isTrusted ? text : HtmlPolicy.cleanTitle(text);
    }

    private String keptText(String text) {
        return isTrusted ? text : HtmlPolicy.cleanContent(text, baseUrl);
    }

    private ItemDraft text(ItemColumn column, JsonNode sent) {
        text(sent).map(Markup::repaired).ifPresent(text -> texts.put(column, keptText(text)));
        return this;
    }

    /** Text may be sent as it is, or as the member {@code raw}, which may be a number or a flag; else it counts as not sent. */
    private static Optional<String> text(JsonNode sent) {
        JsonNode text = sent.isString() ? sent : sent.path("raw");
        if (text.isBoolean()) {
            return Optional.of(text.booleanValue() ? "1" : "");
        }
        return text.isString() || text.isNumber() ? Optional.of(text.asString("")) : Optional.empty();
    }

    /** Leaves out some marks at both ends of a text. */
    static String stripped(String text, String marks) {
        int from = 0;
        int to = text.length();
        while (from < to && marks.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && marks.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        return text.substring(from, to);
    }
}
