package io.github.ratelimit.content.server.http;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.CloseNowException;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionSystemException;

/** Finds the cause of a failure that frameworks have wrapped. */
public final class Causes {
    /** A chain of causes may be a circle. */
    private static final int DEEPEST = 10;

    /**
     * What a database says, whose driver need not tell it by a class: the connection is lost (08), another writer was in the way (40, 55P03), there is
     * no room (53), it was stopped (57), or what is referred to is gone (23503, on H2 23506).
     */
    private static final Pattern PASSING_STATE = Pattern.compile("(08|40|53|57).*|55P03|23503|23506");

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
     * Names a failure in one line, without the statement that databases add on the next ones.
     *
     * @param problem what was caught
     * @return its innermost cause
     */
    public static String line(Throwable problem) {
        return NestedExceptionUtils.getMostSpecificCause(problem)
                .toString()
                .lines()
                .findFirst()
                .orElse("");
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
     * Says whether a request failed for what the server lacks at the moment: a place, time, a database that has a connection left, keeps it and has
     * room, or what the request is about, which somebody deleted meanwhile.
     *
     * @param problem what was caught
     * @return the rejection that a client is told; empty for failures that would come again
     */
    public static Optional<UnavailableException> passing(Throwable problem) {
        // Without its connection a transaction cannot even be rolled back: what came before that tells more.
        Optional<Throwable> first = find(problem, TransactionSystemException.class)
                .map(TransactionSystemException::getApplicationException);
        return first.flatMap(Causes::passingByItself).or(() -> passingByItself(problem));
    }

    private static Optional<UnavailableException> passingByItself(Throwable problem) {
        return find(problem, UnavailableException.class)
                .or(() -> isPassing(problem)
                        ? Optional.of(UnavailableException.busy("The database is too busy at the moment."))
                        : Optional.empty());
    }

    private static boolean isPassing(Throwable problem) {
        return find(problem, TransientDataAccessException.class).isPresent()
                || find(problem, SQLException.class)
                        .filter(told -> told instanceof SQLTransientException
                                // One that the embedded database says is gone, since it closed itself.
                                || told instanceof SQLNonTransientConnectionException
                                || PASSING_STATE
                                        .matcher(Objects.requireNonNullElse(told.getSQLState(), ""))
                                        .matches()
                                // Of a file that takes nothing more the embedded database says no more than that it
                                // failed. One that cannot be read stays as it is.
                                || find(told, MVStoreException.class)
                                        .filter(failed -> failed.getErrorCode() == DataUtils.ERROR_WRITING_FAILED)
                                        .isPresent())
                        .isPresent();
    }
}
