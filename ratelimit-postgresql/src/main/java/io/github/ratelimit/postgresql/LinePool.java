package io.github.ratelimit.postgresql;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.UnansweredException;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of a connection, each idle or in a call. Safe for concurrent use. */
final class LinePool {

    /** Chosen: so soon a thread that waits for a line sees that this is closed. */
    private static final long LOOK_NANOS = 20_000_000;

    private static final TimeSource TIME = TimeSource.system();

    private final int size;
    private final Maker maker;
    private final List<Line> lines;
    private final BlockingQueue<Line> idle;
    private volatile boolean open = true;
    private volatile boolean making;

    /** Makes a line. */
    interface Maker {
        Line make() throws SQLException;
    }

    /**
     * Uses lines.
     *
     * @param maker makes the next line for one that its caller gave up
     */
    LinePool(List<Line> lines, Maker maker) {
        this.size = lines.size();
        this.maker = maker;
        this.lines = new CopyOnWriteArrayList<>(lines);
        this.idle = new LinkedBlockingQueue<>(lines);
    }

    boolean isOpen() {
        return open;
    }

    /** Whether no line is in a call, and none was given up. */
    boolean isAllIdle() {
        return idle.size() == size;
    }

    /** Waits for a line, also if the thread is interrupted: the caller that has one, or a call of another kind, is done with it soon. */
    Line take(Duration timeout) {
        long end = TIME.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (open && TIME.nanoTime() - end < 0) {
                try {
                    @Nullable Line line = idle.poll(LOOK_NANOS, TimeUnit.NANOSECONDS);
                    if (line != null) {
                        return line;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        throw open
                ? UnansweredException.late("PostgreSQL")
                : new UnansweredException(Meaning.LOST, "the connection to PostgreSQL was closed", null);
    }

    void release(Line line) {
        if (line.isGivenUp()) {
            lines.remove(line);
            line.close();
            return;
        }
        idle.add(line);
        if (!open && idle.remove(line)) {
            line.close();
        }
    }

    /** Makes a line for one that was given up. Until then no further caller makes its own call, so that it costs no other line. */
    void refill(Executor threads) {
        if (making || lines.size() == size) {
            return;
        }
        making = true;
        threads.execute(() -> {
            try {
                Line made = maker.make();
                lines.add(made);
                release(made);
            } catch (SQLException | RuntimeException | LinkageError e) { // calls tell if the server is away
            } finally {
                making = false;
            }
        });
    }

    /** Gives out no more lines, and hands each to one of the two. */
    void close(Consumer<Line> ofIdle, Consumer<Line> ofBusy) {
        open = false;
        lines.forEach(line -> (idle.remove(line) ? ofIdle : ofBusy).accept(line));
    }
}
