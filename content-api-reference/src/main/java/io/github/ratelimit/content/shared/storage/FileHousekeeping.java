package io.github.ratelimit.content.shared.storage;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;
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

    /** Chosen: in bytes; what a disk takes while nobody notices. */
    private static final int AT_ONCE = 4 << 20;

    private final DataSource database;
    private boolean isElsewhere;
    private long kept = -1;

    FileHousekeeping(DataSource database) {
        this.database = database;
    }

    /** A second: as often as H2 does where it does so itself. */
    @Scheduled(fixedDelayString = "PT1S")
    synchronized void keep() throws SQLException {
        MVStore file = isElsewhere ? null : file();
        isElsewhere = file == null;
        if (file != null && file.getCurrentVersion() != kept) { // else nothing has changed since
            file.compact(USED_PERCENT, AT_ONCE);
            kept = file.getCurrentVersion();
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
