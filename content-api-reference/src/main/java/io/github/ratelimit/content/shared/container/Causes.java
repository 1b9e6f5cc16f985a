package io.github.ratelimit.content.shared.container;

import java.io.IOException;
import java.sql.SQLTransientException;
import java.util.Optional;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.CloseNowException;
import org.springframework.dao.TransientDataAccessException;

/** What is behind a failure that frameworks have wrapped. */
public final class Causes {
    /** Chosen: no framework wraps so often, and a chain may be a circle. */
    private static final int DEEPEST = 10;

    private Causes() {}

    /**
     * Finds the outermost cause of a kind.
     *
     * @param problem what was caught, itself a cause too
     * @param kind a class of exceptions
     * @return the cause, empty where there is none of that kind
     */
    static <T> Optional<T> find(Throwable problem, Class<T> kind) {
        Throwable cause = problem;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /**
     * Says whether an answer failed since its client left, or was left, or sent a body in no pieces that can be read. That is no fault of the server.
     *
     * @param problem what was caught
     * @return what the container makes nothing of, or answers with 400, where it is thrown as it is
     */
    public static Optional<IOException> leaving(Throwable problem) {
        return find(problem, BadRequestException.class)
                .<IOException>map(gone -> gone)
                .or(() -> find(problem, CloseNowException.class));
    }

    /**
     * Says whether a request failed for what the server lacks at the moment: a place, time, or a database that has a connection left.
     *
     * @param problem what was caught
     * @return the refusal that a client is told; empty for failures that would come again
     */
    public static Optional<UnavailableException> passing(Throwable problem) {
        return find(problem, UnavailableException.class)
                .or(() -> find(problem, SQLTransientException.class)
                        .<Exception>map(busy -> busy)
                        .or(() -> find(problem, TransientDataAccessException.class))
                        .map(busy -> UnavailableException.busy("The database is too busy at the moment.")));
    }
}
