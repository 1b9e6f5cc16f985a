package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.server.http.RequestBounds;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Renders the texts that a request sends. Rendering takes the most time of a write, so no transaction waits for it. */
@Component
class ItemRenderer {
    private final ItemFinder finder;
    private final CmsSettings.Site site;
    private final KnownItems images;
    private final RequestBounds bounds;

    ItemRenderer(ItemFinder finder, CmsSettings.Site site, KnownItems images, RequestBounds bounds) {
        this.finder = finder;
        this.site = site;
        this.images = images;
        this.bounds = bounds;
    }

    private KnownItems begin(RestRequest request) {
        request.requireRendered(0, RequestBounds.MOST_SHOWN);
        return new ReadableItems(request);
    }

    /** Renders the texts of an item. Texts that were not sent stay, as far as the caller may write them. */
    ItemChanges render(RestRequest request, Item.Originals stored, ItemDraft draft) {
        KnownItems readable = begin(request);
        Item.Originals texts = draft.cleanedOver(stored);
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
        return storable(request, changes, draft);
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
        return storable(request, changes, draft);
    }

    /**
     * Rejects what is longer than is kept, once it is rendered or cleaned, with what else the request shows. What was not sent has the bound of its
     * column alone: it was written when the setting was another one.
     */
    private ItemChanges storable(RestRequest request, ItemChanges changes, ItemDraft draft) {
        List<Integer> shown = List.of(
                draft.title().isPresent() ? changes.length(ItemColumn.TITLE_RENDERED) : 0,
                draft.content().isPresent() ? changes.length(ItemColumn.CONTENT_RENDERED) : 0,
                draft.excerpt().isPresent() ? changes.length(ItemColumn.EXCERPT_RENDERED) : 0,
                draft.footnotes().map(String::length).orElse(0));
        if (Collections.max(shown) > bounds.maxShownText()) {
            throw RestError.tooLong(bounds.maxShownText());
        }
        request.requireRendered(shown.stream().mapToLong(Integer::longValue).sum(), RequestBounds.MOST_SHOWN);
        if (ItemColumn.TEXTS.stream().anyMatch(column -> changes.length(column) > Rendering.LONGEST)) {
            throw RestError.tooLong(Rendering.LONGEST);
        }
        return changes;
    }

    /** The pictures that the caller may read, and the items that everybody may. A text names others in vain, as if they did not exist. */
    private final class ReadableItems implements KnownItems {
        private final RestRequest request;

        ReadableItems(RestRequest request) {
            this.request = request;
        }

        @Override
        public Map<Long, Image> find(Collection<Long> ids) {
            Set<Long> readable = finder.readable(request, ids);
            // Captions are asked for one by one.
            finder.findAll(request, readable);
            return images.find(readable);
        }

        @Override
        public Optional<Shown> shown(String address) {
            String base = request.baseUrl();
            return finder.findPublic(base, address)
                    .map(item -> new Shown(item.type().page(base, item.id()), item.shownTitle(), site.title()));
        }

        @Override
        public Place place(long id) {
            String caption =
                    finder.find(request, id).map(item -> item.excerpt().raw()).orElse("");
            return new Place(request.baseUrl(), ItemType.ATTACHMENT.page(request.baseUrl(), id), caption);
        }
    }
}
