package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.text.KnownItems;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pictures that a caller may read, and the items that everybody may. A text names others in vain, as if they did not exist.
 *
 * @param request knows the caller
 * @param finder finds items
 * @param items what addresses lead to
 * @param site names them
 * @param images all pictures
 */
record ReadableItems(RestRequest request, ItemFinder finder, PublicItems items, Site site, KnownItems images)
        implements KnownItems {
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
        return items.find(base, address)
                .map(item -> new Shown(item.type().page(base, item.id()), PublicItems.title(item), site.title()));
    }

    @Override
    public Place place(long id) {
        String caption =
                finder.find(request, id).map(item -> item.excerpt().raw()).orElse("");
        return new Place(request.baseUrl(), ItemType.ATTACHMENT.page(request.baseUrl(), id), caption);
    }
}
