package io.github.ratelimit.content.server.settings;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Shows that the database cannot be reached in place of a stack trace. Other failures of the database keep theirs. */
final class UnreachableDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {
    private static final String URL = "spring.datasource.url";
    private static final int H2_IN_USE = 90020;

    private final Environment environment;

    UnreachableDatabaseFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        if (!isUnreachable(cause)) {
            return null;
        }
        String address = environment.getProperty(URL, "").split("[?;]")[0]; // what follows may hold a password
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return new FailureAnalysis(
                "The database " + address + " cannot be reached: " + message,
                "Start the database, end the other server that uses it, or correct " + URL + ", username and password.",
                rootFailure);
    }

    /** Classes 08 and 28 of the SQL standard, connection and authorization, and 3D, an unknown database. */
    private static boolean isUnreachable(SQLException cause) {
        String state = String.valueOf(cause.getSQLState());
        return state.startsWith("08")
                || state.startsWith("28")
                || state.startsWith("3D")
                || cause.getErrorCode() == H2_IN_USE;
    }
}
