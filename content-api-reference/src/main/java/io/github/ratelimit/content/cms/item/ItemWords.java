package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.server.http.RequestBounds;
import org.springframework.stereotype.Component;

/** Renders the texts that a request sends. Rendering takes the most time of a write, so no transaction waits for it. */
@Component
class ItemWords {
    private final ItemAccess access;
    private final PublicItems items;
    private final Site site;
    private final KnownItems images;
    private final RequestBounds bounds;

    ItemWords(ItemAccess access, PublicItems items, Site site, KnownItems images, RequestBounds bounds) {
        this.access = access;
        this.items = items;
        this.site = site;
        this.images = images;
        this.bounds = bounds;
    }

    /** Renders the texts of an item. Texts that were not sent stay, as far as the caller may write them. */
    ItemChanges ofItem(RestRequest request, Wording known, ItemInput input) {
        request.requireShown(0, RequestBounds.MOST_SHOWN);
        KnownItems readable = new ReadableItems(request, access, items, site, images);
        ItemChanges changes = new ItemChanges();
        String title = input.title().orElseGet(() -> input.keptTitle(known.title()));
        String content = input.content().orElseGet(() -> input.keptText(known.content()));
        String excerpt = input.excerpt().orElseGet(() -> input.keptText(known.excerpt()));
        if (input.title().isPresent() || !title.equals(known.title())) {
            changes.title(title);
        }
        boolean isOtherContent = input.content().isPresent() || !content.equals(known.content());
        String notes = Wording.footnotesOf(input).orElse(known.footnotes());
        if (isOtherContent || !notes.equals(known.footnotes())) {
            changes.content(content, readable, notes).requireStorable(input, request, bounds);
        }
        // An excerpt that nobody wrote is the beginning of the content.
        if (input.excerpt().isPresent() || !excerpt.equals(known.excerpt()) || (isOtherContent && excerpt.isBlank())) {
            changes.excerpt(excerpt, content, readable);
        }
        return changes.requireStorable(input, request, bounds);
    }

    /** Renders the texts that were sent for an autosave. */
    ItemChanges ofAutosave(RestRequest request, ItemInput input) {
        request.requireShown(0, RequestBounds.MOST_SHOWN);
        KnownItems readable = new ReadableItems(request, access, items, site, images);
        ItemChanges changes = new ItemChanges();
        input.title().ifPresent(changes::title);
        input.content()
                .ifPresent(content -> changes.content(
                        content, readable, Wording.footnotesOf(input).orElse("")));
        input.excerpt().ifPresent(excerpt -> changes.writtenExcerpt(excerpt, readable));
        Wording.footnotesOf(input).ifPresent(notes -> changes.set(ItemColumn.FOOTNOTES, notes));
        return changes.requireStorable(input, request, bounds);
    }
}
