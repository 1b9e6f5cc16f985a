package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.server.http.RequestBounds;
import org.springframework.stereotype.Component;

/** Renders the texts that a request sends. Rendering takes the most time of a write, so no transaction waits for it. */
@Component
class ItemRenderer {
    private final ItemFinder finder;
    private final PublicItems items;
    private final Site site;
    private final KnownItems images;
    private final RequestBounds bounds;

    ItemRenderer(ItemFinder finder, PublicItems items, Site site, KnownItems images, RequestBounds bounds) {
        this.finder = finder;
        this.items = items;
        this.site = site;
        this.images = images;
        this.bounds = bounds;
    }

    private KnownItems begin(RestRequest request) {
        request.requireShown(0, RequestBounds.MOST_SHOWN);
        return new ReadableItems(request, finder, items, site, images);
    }

    /** Renders the texts of an item. Texts that were not sent stay, as far as the caller may write them. */
    ItemChanges render(RestRequest request, RawTexts stored, ItemDraft draft) {
        KnownItems readable = begin(request);
        RawTexts texts = draft.cleanedOver(stored);
        ItemChanges changes = new ItemChanges();
        if (draft.title().isPresent() || !texts.title().equals(stored.title())) {
            changes.title(texts.title());
        }
        boolean isOtherContent = draft.content().isPresent() || !texts.content().equals(stored.content());
        if (isOtherContent || !texts.footnotes().equals(stored.footnotes())) {
            changes.content(texts.content(), readable, texts.footnotes());
        }
        // An excerpt that nobody wrote is the beginning of the content.
        if (draft.excerpt().isPresent()
                || !texts.excerpt().equals(stored.excerpt())
                || (isOtherContent && texts.excerpt().isBlank())) {
            changes.excerpt(texts.excerpt(), texts.content(), readable);
        }
        return changes.requireStorable(draft, request, bounds);
    }

    /** Renders the texts that were sent for an autosave. */
    ItemChanges renderAutosave(RestRequest request, ItemDraft draft) {
        KnownItems readable = begin(request);
        ItemChanges changes = new ItemChanges();
        draft.title().ifPresent(changes::title);
        draft.content()
                .ifPresent(content ->
                        changes.content(content, readable, draft.footnotes().orElse("")));
        draft.excerpt().ifPresent(excerpt -> changes.writtenExcerpt(excerpt, readable));
        draft.footnotes().ifPresent(notes -> changes.set(ItemColumn.FOOTNOTES, notes));
        return changes.requireStorable(draft, request, bounds);
    }
}
