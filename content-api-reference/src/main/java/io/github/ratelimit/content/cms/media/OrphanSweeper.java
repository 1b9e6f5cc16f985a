package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Removes files whose items were never stored: a process died between the two, or the database failed and nobody knew whether they were, or smaller pictures found no turn to be written down. */
@Component
class OrphanSweeper {

    private static final Logger log = LoggerFactory.getLogger(OrphanSweeper.class);

    private final UploadStore uploads;
    private final MediaStore store;
    private final Duration age;

    OrphanSweeper(UploadStore uploads, MediaStore store, CmsSettings settings) {
        this.uploads = uploads;
        this.store = store;
        this.age = settings.media().orphanAge();
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1H")
    void sweep() {
        try {
            // Files first: a file that is stored after this look is younger than the age.
            Set<String> known = store.allPaths();
            int removed = uploads.sweep(known::contains, age);
            if (removed > 0) {
                log.info("removed {} uploaded files that belong to no item", removed);
            }
        } catch (IOException e) {
            log.warn("uploaded files could not be swept; will try again", e);
        }
    }
}
