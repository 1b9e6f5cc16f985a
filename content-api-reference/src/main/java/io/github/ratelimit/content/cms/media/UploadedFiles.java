package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.ItemFiles;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Removes files. Safe for concurrent use. */
@Component
class UploadedFiles implements ItemFiles {

    private static final Logger log = LoggerFactory.getLogger(UploadedFiles.class);

    private final UploadStore uploads;
    private final MediaStore store;
    private final Duration orphanAge;

    UploadedFiles(UploadStore uploads, MediaStore store, CmsSettings settings) {
        this.orphanAge = settings.media().orphanAge();
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

    /** Removes files whose items were never stored: a process died between the two, or nobody knew whether the database stored them. */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1H")
    void sweep() {
        try {
            // Files first: a file that is stored after this look is younger than the age.
            Set<String> known = store.allPaths();
            int removed = uploads.sweep(known::contains, orphanAge);
            if (removed > 0) {
                log.info("removed {} uploaded files that belong to no item", removed);
            }
        } catch (IOException e) {
            log.warn("uploaded files could not be swept; will try again", e);
        }
    }
}
