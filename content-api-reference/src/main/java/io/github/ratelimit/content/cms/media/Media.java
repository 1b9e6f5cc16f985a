package io.github.ratelimit.content.cms.media;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What other features may know about uploaded files. Safe for concurrent use. */
@Component
public class Media {

    private final MediaStore store;

    Media(MediaStore store) {
        this.store = store;
    }

    /**
     * Finds the file of an item.
     *
     * @param id of any item
     * @return empty if the item is no file
     */
    public Optional<MediaFile> find(long id) {
        return store.find(id);
    }

    /**
     * Finds the files of several items in one look.
     *
     * @param ids of any items
     * @return by id; those that are no files are missing
     */
    public Map<Long, MediaFile> findAll(Collection<Long> ids) {
        return store.findAll(ids);
    }
}
