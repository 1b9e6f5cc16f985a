package io.github.ratelimit.content.shared.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;

/** Folders for indexes that are filled anew at each start, one for each server that shares a data directory. */
public final class IndexFolder {
    // Chosen: what is held in memory before it is written to the files.
    private static final double BUFFER_MEGABYTES = 16;
    // Chosen: more servers on one folder than anybody runs.
    private static final int MOST_FOLDERS = 64;

    private IndexFolder() {}

    /**
     * Opens the first folder that no other server holds, and leaves nothing in it of what was there.
     *
     * @param parent where the folders lie
     * @param settings makes those of the writer, one for each try
     * @return a writer, to be closed by {@link #close}
     * @throws IOException if the folder cannot be written, or all are held
     */
    public static IndexWriter open(Path parent, Supplier<IndexWriterConfig> settings) throws IOException {
        IOException last = new IOException("no folder is left");
        for (int number = 0; number < MOST_FOLDERS; number++) {
            Directory files = FSDirectory.open(parent.resolve(String.valueOf(number)));
            try {
                return new IndexWriter(
                        files,
                        settings.get()
                                .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                                .setCommitOnClose(false)
                                .setRAMBufferSizeMB(BUFFER_MEGABYTES));
            } catch (LockObtainFailedException e) {
                files.close();
                last = e;
            }
        }
        throw last;
    }

    /**
     * Closes an index and the folder that it holds.
     *
     * @param filling the thread that fills it, which sees by itself that it is to end; null if none does
     * @param searchers who read it
     * @param writer from {@link #open}
     * @throws IOException if that fails
     */
    public static void close(@Nullable Thread filling, SearcherManager searchers, IndexWriter writer)
            throws IOException {
        if (filling != null) {
            join(filling);
        }
        searchers.close();
        Directory files = writer.getDirectory();
        try {
            writer.close();
        } finally {
            files.close();
        }
    }

    /** Not interrupted: that would close the files under the writer. It ends after the page that it is at. */
    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
