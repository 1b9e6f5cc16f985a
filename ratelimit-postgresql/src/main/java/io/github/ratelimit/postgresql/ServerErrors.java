package io.github.ratelimit.postgresql;

import io.github.ratelimit.internal.Manual;
import io.github.ratelimit.remote.UnansweredException;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.sql.SQLException;

/** Reads a server's errors by their codes. Rule: PostgreSQL, Appendix A, "PostgreSQL Error Codes". */
final class ServerErrors {

    static final String STANDBY = "the server is a standby, and only the primary decides";

    /** The page of the manual, as of this version. */
    static final String PAGE = Manual.page("docs/postgresql.md");

    static final String REMEDY =
            "run schema.sql, as " + PAGE + " says, or set createSchema (ratelimit.postgresql.create-schema)";

    private ServerErrors() {}

    /** The meaning of a call's error for the server. */
    static Meaning meaning(SQLException error) {
        String code = code(error);
        return switch (code) {
            case "57P01", "57P02", "57P03", "57P05" -> Meaning.LOST; // the server closes the connection
            case "25006", "0A000" ->
                Meaning.CONNECTION; // a standby, perhaps since a moment ago: the primary is elsewhere
            case "42P01", "42883", "3F000" -> Meaning.CONNECTION; // a new connection looks for the schema, or makes it
            case "40001", "40P01" -> Meaning.REQUEST; // another transaction was in the way
            default -> code.startsWith("08") ? Meaning.LOST : code.startsWith("22") ? Meaning.REQUEST : Meaning.SERVER;
        };
    }

    /** The error, with its remedy if there is one; never more than its first line. */
    static String explained(SQLException error) {
        String text = UnansweredException.words(error).lines().findFirst().orElse("");
        return switch (code(error)) {
            case "42P01", "42883", "3F000" -> text + "; " + REMEDY;
            case "42501" -> text + "; " + PAGE + " lists the rights that the role needs";
            case "25006", "0A000" -> text + "; " + STANDBY;
            case "26000", "42P05" -> text + "; " + PAGE + " says what the driver needs behind a pooler";
            default -> text;
        };
    }

    private static String code(SQLException error) {
        String code = error.getSQLState();
        return code == null ? "" : code;
    }
}
