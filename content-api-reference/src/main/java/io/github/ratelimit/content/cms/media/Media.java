package io.github.ratelimit.content.cms.media;

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
}
