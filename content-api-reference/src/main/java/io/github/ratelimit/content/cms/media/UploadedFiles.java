package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.ItemFiles;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Removes files. Safe for concurrent use. */
@Component
class UploadedFiles implements ItemFiles {

    private static final Logger log = LoggerFactory.getLogger(UploadedFiles.class);

    private final UploadStore uploads;
    private final MediaStore store;

    UploadedFiles(UploadStore uploads, MediaStore store) {
        this.uploads = uploads;
        this.store = store;
    }

    @Override
    public Runnable removal(long id) {
        Optional<MediaFile> file = store.find(id);
        return () -> file.ifPresent(this::remove);
    }

    /** Removes a file that no item names, and what was made of it. */
    void remove(MediaFile file) {
        for (String path : file.allPaths()) {
            try {
                uploads.delete(path);
            } catch (IOException e) {
                // The sweeper will find it.
                log.warn("an uploaded file could not be removed", e);
            }
        }
    }
}
