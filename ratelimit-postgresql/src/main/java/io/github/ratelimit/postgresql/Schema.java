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
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table and the functions of the store. Immutable.
 *
 * @param name of the schema that they are in
 * @param logged whether counts are to survive a crash of the server
 */
record Schema(String name, boolean logged) {

    /** The table's comment. */
    private static final String VERSION = "ratelimit 1";

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /** Where the script names its schema. */
    private static final Pattern NAMED = Pattern.compile("\\bratelimit(?=[.;])|(?<=IN SCHEMA )ratelimit");

    /** Chosen: any number that no application takes for its own locks. */
    private static final long LOCK = 0x7261_7465_6c69_6d31L;

    Schema {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "schema must be up to 63 lower-case letters, digits and underscores, was '%s'"
                            .formatted(name.replaceAll("[^\\x20-\\x7e]", "?")));
        }
    }

    /** The statements that make it, or bring it to this version. */
    String script() {
        try (InputStream script = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.sql"))) {
            String text =
                    NAMED.matcher(new String(script.readAllBytes(), UTF_8)).replaceAll(name);
            return logged ? text.replace("CREATE UNLOGGED TABLE", "CREATE TABLE") : text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The call of one of its functions, with its arguments. */
    String call(String function) {
        return "%s.%s".formatted(name, function);
    }

    /**
     * Makes it if it is missing.
     *
     * @throws SQLException if the role may not, among others
     */
    void create(Connection on) throws SQLException {
        if (VERSION.equals(version(on))) {
            return;
        }
        on.setAutoCommit(false);
        try (Statement statement = on.createStatement()) {
            // Two nodes that start together would both find nothing.
            statement.execute("SELECT %s, pg_advisory_xact_lock(%d)".formatted(Line.UNFLUSHED, LOCK));
            statement.execute(script());
            on.commit();
        } finally {
            on.setAutoCommit(true); // rolls back a failed transaction
        }
    }

    /**
     * Checks that it is there, in this version, on a server that decides.
     *
     * @throws UnansweredException if it is not
     */
    void check(Connection on) throws SQLException {
        String version = version(on);
        if (!VERSION.equals(version)) {
            String found = version == null
                    ? "or its comment or table ticket is missing"
                    : "is of version '%s'".formatted(version);
            throw new UnansweredException(
                    Meaning.CONNECTION,
                    "table %s.counter %s, and this store needs '%s'; %s"
                            .formatted(name, found, VERSION, ServerErrors.REMEDY),
                    null);
        }
        try (Statement statement = on.createStatement();
                ResultSet made = statement.executeQuery("SELECT " + call("decide('{}', '{}')"))) {
            made.next(); // which also compiles it, before a deadline counts
        }
    }

    private @Nullable String version(Connection on) throws SQLException {
        String query = "SELECT pg_is_in_recovery(), CASE WHEN to_regclass('%1$s.ticket') IS NOT NULL"
                + " THEN obj_description(to_regclass('%1$s.counter'), 'pg_class') END";
        try (Statement statement = on.createStatement();
                ResultSet row = statement.executeQuery(query.formatted(name))) {
            row.next();
            if (row.getBoolean(1)) {
                throw new UnansweredException(Meaning.CONNECTION, ServerErrors.STANDBY, null);
            }
            return row.getString(2);
        }
    }
}
