package io.github.ratelimit.content.cms.media.storage;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Makes folders of uploads whose disk has as much room as a test says. */
public final class UploadsOnADisk {
    private UploadsOnADisk() {}

    /**
     * Opens a folder.
     *
     * @param root the folder
     * @param room tells how many bytes its disk still takes
     */
    public static UploadStore with(Path root, LongSupplier room) {
        return new UploadStore(InstantSource.system(), root, file -> room.getAsLong());
    }
}
