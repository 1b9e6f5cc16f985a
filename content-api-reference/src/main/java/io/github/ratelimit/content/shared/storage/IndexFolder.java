package io.github.ratelimit.content.shared.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;

/**
 * The files of an index that is filled anew at each start, in a folder of its own for each server that shares a data directory. Where they fail, as on a
 * full disk, others have to be opened. Safe for concurrent use.
 */
public final class IndexFolder implements AutoCloseable {
    // Chosen: what is held in memory before it is written to the files.
    private static final double BUFFER_MEGABYTES = 16;
    // Chosen: more servers on one folder than anybody runs.
    private static final int MOST_FOLDERS = 64;

    private final IndexWriter writer;
    private final SearcherManager searchers;

    private IndexFolder(IndexWriter writer) throws IOException {
        this.writer = writer;
        this.searchers = new SearcherManager(writer, null);
    }

    /**
     * Opens the first folder that no other server holds, and leaves nothing in it of what was there.
     *
     * @param parent where the folders lie
     * @param settings makes those of the writer, one for each try
     * @return to be closed
     * @throws IOException if the folder cannot be written, or all are held
     */
    public static IndexFolder open(Path parent, Supplier<IndexWriterConfig> settings) throws IOException {
        IOException last = new IOException("no folder is left");
        for (int number = 0; number < MOST_FOLDERS; number++) {
            Directory files = FSDirectory.open(parent.resolve(String.valueOf(number)));
            try {
                return new IndexFolder(new IndexWriter(
                        files,
                        settings.get()
                                .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                                .setCommitOnClose(false)
                                .setRAMBufferSizeMB(BUFFER_MEGABYTES)));
            } catch (LockObtainFailedException e) {
                files.close();
                last = e;
            }
        }
        throw last;
    }

    /** Says whether a failure is that of the files, which take nothing any more then. */
    public static boolean isOfFiles(Throwable problem) {
        return problem instanceof IOException || problem instanceof AlreadyClosedException;
    }

    /**
     * Writes to the files.
     *
     * @return closed by this
     */
    public IndexWriter writer() {
        return writer;
    }

    /**
     * Lets them be read.
     *
     * @return closed by this
     */
    public SearcherManager searchers() {
        return searchers;
    }

    /** Gives the folder free, for another server or for others to be opened. */
    @Override
    public void close() throws IOException {
        searchers.close();
        Directory files = writer.getDirectory();
        try {
            writer.close();
        } finally {
            files.close();
        }
    }

    /**
     * Waits for the thread that fills an index, which sees by itself that it is to end. Not interrupted: that would close the files under the
     * writer.
     *
     * @param filling null if none does
     */
    public static void join(@Nullable Thread filling) {
        try {
            if (filling != null) {
                filling.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
