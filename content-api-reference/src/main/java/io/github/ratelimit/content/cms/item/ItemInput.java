package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.ArgumentValues;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.text.BlockMarkup;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.References;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a caller wants an item to be: only what was sent, in its types, and without HTML that the caller may not write.
 *
 * <p>The table of the item's members fills it. What is a column and nothing else is kept as that column; the rest has rules
 * that {@link ItemWriter} knows. Each setter returns this. Belongs to one thread.
 */
public final class ItemInput {
    /** Around a title they are left out; of other spaces, such as that of ideographs, nothing is known. */
    private static final String SPACES = " \t\n\r\u000b\0";

    private final ZoneId zone;
    private final boolean isTrusted;
    private final ItemChanges columns = new ItemChanges();
    private final Map<Taxonomy, List<Long>> terms = new EnumMap<>(Taxonomy.class);
    private @Nullable String title;
    private @Nullable String content;
    private @Nullable String excerpt;
    private @Nullable ItemStatus status;
    private @Nullable Instant date;
    private boolean isDateReset;
    private @Nullable String slug;
    private @Nullable Long parent;
    private @Nullable Long picture;
    private @Nullable JsonNode footnotes;

    private ItemInput(ZoneId zone, boolean isTrusted) {
        this.zone = zone;
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
    public static ItemInput of(RestRequest request, Fields<?, ItemInput> fields, ZoneId zone) {
        boolean isTrusted = request.caller().may(Capability.UNFILTERED_HTML);
        return fields.write(request.arguments(), new ItemInput(zone, isTrusted));
    }

    /**
     * Reads what a request sends beside what its endpoint declares.
     *
     * @param fields the members of the item
     * @param sent further arguments
     * @return this
     */
    public ItemInput and(Fields<?, ItemInput> fields, ArgumentValues sent) {
        return fields.write(sent, this);
    }

    /**
     * Wishes a value for a column that has no rule.
     *
     * @param column which
     * @param value what
     * @return this
     */
    public ItemInput set(ItemColumn column, Object value) {
        columns.set(column, value);
        return this;
    }

    ItemInput setOpen(ItemColumn column, JsonNode sent) {
        String word = sent.stringValue();
        return word.isEmpty() ? this : set(column, word.equals("open"));
    }

    ItemInput date(JsonNode sent) {
        return date(sent, zone);
    }

    ItemInput dateInUtc(JsonNode sent) {
        return date(sent, ZoneOffset.UTC);
    }

    /** The site's time is read first, and counts. */
    private ItemInput date(JsonNode sent, ZoneId in) {
        if (sent.isNull()) {
            isDateReset = true;
        } else if (date == null) {
            date = SiteDates.parse(sent.stringValue(), in).orElse(null);
        }
        return this;
    }

    ItemInput slug(JsonNode sent) {
        String wish = Slugs.of(sent.stringValue());
        slug = isNothing(wish) ? "" : wish;
        return this;
    }

    ItemInput status(JsonNode sent) {
        status = ItemStatus.of(sent.stringValue()).orElse(ItemStatus.DRAFT);
        return this;
    }

    /** An empty title counts as sent where it is text, and as forgotten where it is a member. */
    ItemInput title(JsonNode sent) {
        text(sent)
                .filter(text -> sent.isString() || !isNothing(text))
                .ifPresent(text ->
                        title = isTrusted ? stripped(text, SPACES) : HtmlPolicy.cleanTitle(stripped(text, SPACES)));
        return this;
    }

    /**
     * Wishes another text.
     *
     * @param sent as an argument; of a file, its description
     * @return this
     */
    public ItemInput content(JsonNode sent) {
        content = cleanText(sent).orElse(content);
        return this;
    }

    /**
     * Wishes another text in short.
     *
     * @param sent as an argument; of a file, its caption
     * @return this
     */
    public ItemInput excerpt(JsonNode sent) {
        excerpt = cleanText(sent).orElse(excerpt);
        return this;
    }

    ItemInput author(JsonNode sent) {
        return sent.longValue() == 0 ? this : set(ItemColumn.AUTHOR_ID, sent.longValue());
    }

    ItemInput picture(JsonNode sent) {
        picture = sent.longValue();
        return this;
    }

    /**
     * Wishes another place.
     *
     * @param sent another item's id, or 0
     * @return this
     */
    public ItemInput parent(JsonNode sent) {
        parent = sent.longValue();
        return this;
    }

    ItemInput format(JsonNode sent) {
        return sent.stringValue().isEmpty() ? this : set(ItemColumn.FORMAT, sent.stringValue());
    }

    ItemInput meta(JsonNode sent) {
        JsonNode notes = sent.get("footnotes");
        boolean isFiltered = notes != null && notes.isString() && !isTrusted;
        footnotes = isFiltered ? JsonNodeFactory.instance.stringNode(Footnotes.clean(notes.stringValue())) : notes;
        return this;
    }

    ItemInput terms(Taxonomy taxonomy, JsonNode sent) {
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
    public ItemInput withTexts(Optional<String> title, Optional<String> content, Optional<String> excerpt) {
        this.title = title.orElse(null);
        this.content = content.orElse(null);
        this.excerpt = excerpt.orElse(null);
        return this;
    }

    /**
     * Spells the blocks of the text in the way in which items store them.
     *
     * @return this
     */
    public ItemInput withBlocksSpelled() {
        content = content == null ? null : BlockMarkup.stored(content);
        return this;
    }

    /**
     * Wishes no picture.
     *
     * @return this
     */
    public ItemInput withoutFeaturedMedia() {
        picture = null;
        return this;
    }

    /**
     * Leaves out what only a deliberate write changes: terms, format, template, stickiness, picture and notes.
     *
     * @return this, with the words, the status, the date, and what else belongs to the item itself
     */
    public ItemInput withoutExtras() {
        columns.remove(ItemColumn.FORMAT).remove(ItemColumn.TEMPLATE).remove(ItemColumn.STICKY);
        terms.clear();
        footnotes = null;
        return withoutFeaturedMedia();
    }

    /**
     * Tells the title.
     *
     * @return as written
     */
    public Optional<String> title() {
        return Optional.ofNullable(title);
    }

    /**
     * Tells the text itself.
     *
     * @return as written; of a file, its description
     */
    public Optional<String> content() {
        return Optional.ofNullable(content);
    }

    /**
     * Tells the text in short.
     *
     * @return as written; of a file, its caption
     */
    public Optional<String> excerpt() {
        return Optional.ofNullable(excerpt);
    }

    /** Tells what becomes of a stored title that stays. */
    String keptTitle(String stored) {
        return isTrusted ? stored : HtmlPolicy.cleanTitle(stored);
    }

    /** Tells what becomes of a stored text that stays. */
    String keptText(String stored) {
        return isTrusted ? stored : HtmlPolicy.cleanContent(stored);
    }

    /** Tells what the columns without a rule are to be. */
    ItemChanges columns() {
        return columns;
    }

    /** Tells the status; dates may turn it into another one. */
    Optional<ItemStatus> status() {
        return Optional.ofNullable(status);
    }

    /** Tells when it is to be published. */
    Optional<Instant> date() {
        return isDateReset ? Optional.empty() : Optional.ofNullable(date);
    }

    /** Says whether the date is to be now again. */
    boolean isDateReset() {
        return isDateReset;
    }

    /** Tells the slug, cleaned; empty text to make one of the title. */
    Optional<String> slug() {
        return Optional.ofNullable(slug);
    }

    /** Tells the account that it is to belong to. */
    OptionalLong author() {
        return columns.get(ItemColumn.AUTHOR_ID) instanceof Long id ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /** Says whether a password is to guard it. */
    boolean guards() {
        return columns.get(ItemColumn.PASSWORD) instanceof String password && !password.isEmpty();
    }

    /** Says whether it is to stay on top. */
    boolean sticks() {
        return Boolean.TRUE.equals(columns.get(ItemColumn.STICKY));
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

    /** Tells what a tool wants to keep, not checked yet. */
    Optional<JsonNode> footnotes() {
        return Optional.ofNullable(footnotes);
    }

    private Optional<String> cleanText(JsonNode sent) {
        return text(sent).map(References::repaired).map(text -> isTrusted ? text : HtmlPolicy.cleanContent(text));
    }

    /** Text may be sent as it is, or as the member {@code raw}, which may be a number or a flag; else it counts as not sent. */
    private static Optional<String> text(JsonNode sent) {
        JsonNode text = sent.isString() ? sent : sent.path("raw");
        if (text.isBoolean()) {
            return Optional.of(text.booleanValue() ? "1" : "");
        }
        return text.isString() || text.isNumber() ? Optional.of(text.asString("")) : Optional.empty();
    }

    /**
     * Says whether a text counts as none.
     *
     * @param text any
     * @return true for a zero too, as clients of this interface know it
     */
    static boolean isNothing(String text) {
        return text.isEmpty() || text.equals("0");
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
