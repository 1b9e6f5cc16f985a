package io.github.ratelimit.content.shared.container;

import java.io.File;
import java.nio.file.Path;

/** The disk that a folder is on. As a bean, that of {@code content-api.data-dir}. */
@FunctionalInterface
public interface Disk {
    /**
     * Finds the disk of a folder.
     *
     * @param folder may be on another disk than the one above it; while it is missing its disk is not full: the system says that nothing is free there,
     *     but that does not pass by itself
     * @return looked at each time anew: full where it has less than 64 MiB left
     */
    static Disk of(Path folder) {
        File disk = folder.toFile();
        // Chosen: some uploads that are under way, and what deleting and moving writes; what failed for want of room
        // may have given as much back. The
        // health has the same threshold.
        return () -> disk.exists() && disk.getUsableSpace() < 64L << 20;
    }

    /**
     * Says whether it takes hardly anything more.
     *
     * @return true: nothing is stored that can be refused, or can wait
     */
    boolean isFull();
}
