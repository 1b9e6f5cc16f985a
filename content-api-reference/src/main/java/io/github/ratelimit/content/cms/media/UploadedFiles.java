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
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Removes files, and tells in the health how the last sweep ended. Safe for concurrent use. */
@Component
class UploadedFiles extends AbstractHealthIndicator implements ItemFiles {

    private static final Logger log = LoggerFactory.getLogger(UploadedFiles.class);

    private final UploadStore uploads;
    private final MediaStore store;
    private final Duration orphanAge;
    private volatile UploadStore.Swept last = new UploadStore.Swept(0, 0, false);

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

    /** Moves files aside whose items were never stored: a process died between the two, or nobody knew whether the database stored them. */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1H")
    void sweep() {
        try {
            // Files first: a file that is stored after this look is younger than the age.
            Set<String> known = store.allPaths();
            UploadStore.Swept swept = uploads.sweep(known::contains, orphanAge);
            last = swept;
            if (swept.isRefused()) {
                log.warn(
                        "{} of {} uploaded files belong to no item, and none was moved: is this the database of content-api.data-dir? Restore the"
                                + " rows, or remove the files by hand",
                        swept.orphans(),
                        swept.uploads());
            } else if (swept.orphans() > 0) {
                log.info(
                        "moved {} uploaded files that belong to no item to uploads/.removed, for 30 days",
                        swept.orphans());
            }
        } catch (IOException e) {
            log.warn("uploaded files could not be swept; will try again", e);
        }
    }

    /** Says how the last sweep ended. */
    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up().withDetail("uploads", last.uploads()).withDetail("filesWithoutItem", last.orphans());
        if (last.isRefused()) {
            health.withDetail(
                    "sweep",
                    "refused: too many files belong to no item; is this the database of content-api.data-dir?");
        }
    }
}
