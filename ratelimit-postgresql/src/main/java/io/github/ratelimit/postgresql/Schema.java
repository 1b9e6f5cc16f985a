package io.github.ratelimit.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.remote.UnansweredException;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The table and the functions of the store. Immutable.
 *
 * @param name of the schema that they are in
 * @param logged whether counts are to survive a crash of the server
 */
record Schema(String name, boolean logged) {

    /** Ends the functions' names, so that nodes of two versions share the tables. */
    private static final String VERSION = "2";

    /** As in the script's last statement. Nodes replace functions of a lower one. */
    private static final int REVISION = 2;

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /** Where the script names its schema. */
    private static final Pattern NAMED = Pattern.compile("\\bratelimit(?=[.;])|(?<=SCHEMA |\\(')ratelimit(?=[ '])");

    /** Chosen: any number that no application takes for its own locks. */
    private static final long LOCK = 0x7261_7465_6c69_6d31L;

    Schema {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "schema must be up to 63 lower-case letters, digits and underscores, was '%s'"
                            .formatted(name.replaceAll("[^\\x20-\\x7e]", "?")));
        }
    }

    private String quoted() { // it may be a reserved word
        return '"' + name + '"';
    }

    /** The statements that make it, and replace functions of this version. */
    String script() {
        try (InputStream script = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.sql"))) {
            String text =
                    NAMED.matcher(new String(script.readAllBytes(), UTF_8)).replaceAll(quoted());
            return logged ? text.replace("CREATE UNLOGGED TABLE", "CREATE TABLE") : text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The call of one of its functions, with its arguments. */
    String call(String function) {
        return "%s.%s".formatted(quoted(), function.replaceFirst("\\(", "_" + VERSION + "("));
    }

    /**
     * Makes it if a part is missing or older, and leaves a newer one.
     *
     * @throws SQLException if the role may not, among others
     */
    void create(Connection on) throws SQLException {
        if (revision(on) >= REVISION) {
            return;
        }
        on.setAutoCommit(false);
        try (Statement statement = on.createStatement()) {
            // Two nodes that start together would both find nothing.
            statement.execute("SELECT %s, pg_advisory_xact_lock(%d)".formatted(Line.UNFLUSHED, LOCK));
            if (revision(on) < REVISION) {
                statement.execute(script());
            }
            on.commit();
        } finally {
            on.setAutoCommit(true); // rolls back a failed transaction
        }
    }

    /**
     * Checks that it is whole, on a server that decides.
     *
     * @param deadline of each call; a wait for a lock ends before
     * @throws UnansweredException if it is not
     */
    void check(Connection on, Duration deadline) throws SQLException {
        if (revision(on) < 0) {
            throw new UnansweredException(
                    Meaning.CONNECTION,
                    "schema %s has not all tables and functions of version %s; %s"
                            .formatted(name, VERSION, ServerErrors.REMEDY),
                    null);
        }
        String all = Line.statement(
                deadline,
                call("decide('{}', '{}')"),
                call("take_one(NULL, 1, 1, 1, 1)"),
                "(SELECT count(*) FROM %s)".formatted(call("take('{}', '{}', '{}', '{}', '{}')")),
                "(SELECT count(*) FROM %s)".formatted(call("take_several('{}', '{}', '{}', '{}', '{}', '{}', '{}')")));
        try (Statement statement = on.createStatement();
                ResultSet made = statement.executeQuery(all)) {
            made.next(); // which also compiles them, before a deadline counts
        }
    }

    /** Since when the table keeps counts: another time than before tells that they were lost. */
    long keptSince(Connection on, Duration deadline) throws SQLException {
        String query = Line.statement(deadline, Line.UNFLUSHED, call("kept_since()"));
        try (Statement statement = on.createStatement();
                ResultSet since = statement.executeQuery(query)) {
            since.next();
            return since.getLong(3);
        }
    }

    /** The revision of its functions; -1 unless the whole script has run. */
    private int revision(Connection on) throws SQLException {
        String query = "SELECT pg_is_in_recovery(), CASE WHEN to_regclass('%1$s.counter') IS NOT NULL"
                + " AND to_regclass('%1$s.ticket') IS NOT NULL THEN substring(obj_description("
                + "to_regprocedure('%1$s.decide_%2$s(uuid[], bigint[])'), 'pg_proc') FROM '^ratelimit %2$s\\.(\\d+)$')::int END";
        try (Statement statement = on.createStatement();
                ResultSet row = statement.executeQuery(query.formatted(quoted(), VERSION))) {
            row.next();
            if (row.getBoolean(1)) {
                throw new UnansweredException(Meaning.CONNECTION, ServerErrors.STANDBY, null);
            }
            int revision = row.getInt(2);
            return row.wasNull() ? -1 : revision;
        }
    }
}
