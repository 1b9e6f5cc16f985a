package io.github.ratelimit.content.shared.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RandomAccessStore;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Keeps the file of the embedded database from growing by what is left over between its contents. Does nothing with another database.
 *
 * <p>H2 writes what changes together as one piece, and uses the piece's space again when nothing in it is needed. Pieces of which little is left it
 * moves together in the background, but not where it is told to write at once (WRITE_DELAY=0): then this is left to us.
 */
@Component
final class FileHousekeeping {
    /** Chosen: so the file has about twice what is in it. A higher share would write more often. */
    private static final int USED_PERCENT = 50;

    /** Chosen: a file with small gaps is left alone, and one with larger ones becomes shorter once nobody writes. */
    private static final int FULL_PERCENT = 70;

    /** Chosen: of such a file most is gaps, and it becomes shorter while others write. */
    private static final int EMPTY_PERCENT = 30;

    /** Chosen: in bytes; what a disk takes while nobody notices. */
    private static final int AT_ONCE = 4 << 20;

    /** Chosen: in bytes; a file with gaps of fewer is not worth the moves, and among small gaps H2 may find no place for what it notes about them. */
    private static final int GAPS = 2 * AT_ONCE;

    /**
     * What moves may stand behind the end of the file for a while. A disk without that room ends the database: then the file stays as long as it
     * is, and what is written goes into its gaps.
     */
    private static final long ROOM = 4L * AT_ONCE;

    /** Chosen: in seconds; whoever reads has statements of 5 s, and to look whether they have ended writes some 60 KB. */
    private static final int REST = 10;

    private final DataSource database;
    private final ToLongFunction<Path> room;
    private boolean isElsewhere;
    private boolean isGivenUp;
    private long seen = -1;
    private boolean isDone;
    private int resting;

    @Autowired
    FileHousekeeping(DataSource database) {
        this(database, FileHousekeeping::usable);
    }

    /** With what tells how many bytes the disk of a file still takes. */
    FileHousekeeping(DataSource database, ToLongFunction<Path> room) {
        this.database = database;
        this.room = room;
    }

    /** A second: as often as H2 does where it does so itself. */
    @Scheduled(fixedDelayString = "PT1S")
    synchronized void keep() throws SQLException {
        MVStore file = isElsewhere ? null : file();
        isElsewhere = file == null;
        if (file == null) {
            return;
        }
        boolean isQuiet = file.getCurrentVersion() == seen;
        if (isQuiet && resting > 0) {
            resting--;
            return;
        }
        if ((!isQuiet || !isDone) && hasRoom(file)) {
            boolean isMoved = file.compact(USED_PERCENT, AT_ONCE);
            boolean isShorter = closeUp(file, isQuiet ? FULL_PERCENT : EMPTY_PERCENT);
            // What was moved leaves its place only after a while: there is more to do then.
            boolean isNothingDone = isQuiet && !isMoved && !isShorter && !isCutOff(file);
            resting = isNothingDone && isKeptForReaders(file) ? REST : 0;
            isDone = isNothingDone && resting == 0;
            seen = file.getCurrentVersion();
        }
    }

    /** What is free behind the last piece goes with the next write only, and that may be long in coming: this writes nothing new. */
    private static boolean isCutOff(MVStore file) {
        long before = file.getFileStore().size();
        file.setStoreVersion(file.getStoreVersion());
        file.commit();
        return file.getFileStore().size() < before;
    }

    /** Says whether much of the file is needed by none but whoever reads what was there before: such as a request that is not answered yet. */
    private static boolean isKeptForReaders(MVStore file) {
        int used = file.getFileStore().getChunksFillRate();
        return used < USED_PERCENT && file.getFileStore().size() / 100 * (100 - used) >= GAPS;
    }

    /** Moves pieces from the end of the file into the gaps before them, so that the file becomes shorter. */
    private boolean closeUp(MVStore file, int mostPercent) {
        if (isGivenUp || !(file.getFileStore() instanceof RandomAccessStore store)) {
            return false;
        }
        long before = store.size();
        if (before / 100 * (100 - store.getFillRate()) < GAPS) {
            return false;
        }
        isGivenUp = true; // whatever made it fail would do so again, and close the database each time
        store.compactMoveChunks(mostPercent, AT_ONCE, file);
        isGivenUp = false;
        return store.size() < before;
    }

    private boolean hasRoom(MVStore file) {
        return !(file.getFileStore() instanceof RandomAccessStore store) || room.applyAsLong(path(store)) >= ROOM;
    }

    private static Path path(RandomAccessStore store) {
        FilePath path = FilePath.get(store.getFileName());
        while (path instanceof FilePathWrapper wrapper) {
            path = wrapper.unwrap();
        }
        return Path.of(path.toString());
    }

    private static long usable(Path file) {
        try {
            return Files.getFileStore(file).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable MVStore file() throws SQLException {
        try (Connection connection = database.getConnection()) {
            if (connection.isWrapperFor(JdbcConnection.class)
                    && connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session) {
                MVStore store = session.getDatabase().getStore().getMvStore();
                return store.isPersistent() ? store : null;
            }
            return null;
        }
    }
}
