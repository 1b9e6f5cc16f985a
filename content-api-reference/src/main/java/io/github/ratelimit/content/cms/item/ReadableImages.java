package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.KnownImages;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * The pictures that a caller may read. A text names other pictures in vain, as if they did not exist.
 *
 * @param request knows the caller
 * @param access finds items
 * @param images all pictures
 */
record ReadableImages(RestRequest request, ItemAccess access, KnownImages images) implements KnownImages {
    @Override
    public Map<Long, Image> find(Collection<Long> ids) {
        Set<Long> readable = access.readable(request, ids);
        // Captions are asked for one by one.
        access.findAll(request, readable);
        return images.find(readable);
    }

    @Override
    public Place place(long id) {
        String caption =
                access.find(request, id).map(item -> item.excerpt().raw()).orElse("");
        return new Place(request.baseUrl(), ItemType.ATTACHMENT.page(request.baseUrl(), id), caption);
    }
}
