package io.github.ratelimit.content.server.http;

import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;

/**
 * Bounds the texts that answers hold in memory: those of one answer, and those of all together. An answer that finds no room waits for it, first
 * come first served. Safe for concurrent use.
 */
@Component
public final class AnswerRoom {
    // Chosen: a character takes two to six bytes until it is sent.
    private static final int BYTES_OF_A_CHARACTER = 16;
    // Chosen: nearly all answers are shorter, and never wait.
    private static final int SHORT = 64_000;

    private final int all =
            (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / BYTES_OF_A_CHARACTER);
    private final Semaphore free = new Semaphore(all, true);
    private final RequestBounds bounds;

    AnswerRoom(RequestBounds bounds) {
        this.bounds = bounds;
    }

    /**
     * Begins an answer.
     *
     * @return its share of the room, of nothing so far; to be closed when the answer is sent
     */
    public Share share() {
        return new Share();
    }

    /** What one answer takes of the room. Belongs to one thread. */
    public final class Share implements AutoCloseable {
        private long wanted;
        private int held;

        private Share() {}

        /**
         * Takes room for texts. To be called before they are read.
         *
         * @param characters of all these texts together, 0 or more
         * @throws UnavailableException 413 if the answer is too long, 503 if there is no room for it in time
         */
        public void take(long characters) {
            wanted += characters;
            if (wanted > all / 2) {
                throw UnavailableException.tooLongAnswer(all / 2);
            }
            int missing = (int) wanted - held;
            if (wanted > SHORT && missing > 0) {
                if (!TimedWait.isInTime(
                        bounds.longestWait(), (longest, unit) -> free.tryAcquire(missing, longest, unit))) {
                    throw UnavailableException.busy("Too many long answers are being sent at the moment.");
                }
                held += missing;
            }
        }

        @Override
        public void close() {
            free.release(held);
            held = 0;
        }
    }
}
