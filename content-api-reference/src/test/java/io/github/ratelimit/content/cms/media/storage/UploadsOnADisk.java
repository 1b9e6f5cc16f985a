package io.github.ratelimit.content.cms.media.storage;

import io.github.ratelimit.content.shared.container.Disk;
import java.nio.file.Path;
import java.time.InstantSource;

/** Makes folders of uploads whose disk is as full as a test says. */
public final class UploadsOnADisk {
    private UploadsOnADisk() {}

    /**
     * Opens a folder.
     *
     * @param root the folder
     * @param disk tells whether it is full
     */
    public static UploadStore with(Path root, Disk disk) {
        return new UploadStore(InstantSource.system(), root, disk);
    }
}
