package io.github.ratelimit.content.shared.storage;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Compares what is declared of a table with what the database has, so that a start tells of it and not each request. */
public final class DeclaredMembers {
    private DeclaredMembers() {}

    /**
     * A column as the database describes it.
     *
     * @param type its name
     * @param width of texts
     */
    private record Found(String name, String type, @Nullable Long width, boolean isLeftOut) {}

    /**
     * Refuses members whose column is the server's own, is missing, cannot hold what is sent, or has to be named in every row.
     *
     * @param jdbc of the database, with its newest migration
     * @param table its name, in small letters
     * @param own the names of columns that the server itself writes
     * @param members the columns of the table that members are stored in, by the names of these
     * @throws IllegalStateException that names the member, the column and what a migration has to do
     */
    public static void require(JdbcClient jdbc, String table, Set<String> own, Map<String, Column<?>> members) {
        List<Found> found = jdbc.sql(
                        "select lower(column_name), lower(data_type), character_maximum_length, case when"
                                + " is_nullable = 'YES' or column_default is not null then true else false end"
                                + " from information_schema.columns where table_schema = current_schema and lower(table_name) = ?")
                .param(table)
                .query((row, number) -> {
                    long width = row.getLong(3);
                    return new Found(
                            row.getString(1), row.getString(2), row.wasNull() ? null : width, row.getBoolean(4));
                })
                .list();
        Map<String, Found> byName = found.stream().collect(Collectors.toMap(Found::name, Function.identity()));
        members.forEach((member, column) -> {
            if (own.contains(column.name())) {
                throw new IllegalStateException("member '" + member + "' is stored in column '" + column.name()
                        + "' of table '" + table + "', which the server itself writes; choose another column");
            }
            String problem = problem(byName.get(column.name()), column);
            if (!problem.isEmpty()) {
                throw new IllegalStateException("member '" + member + "' is stored in column '" + column.name()
                        + "' of table '" + table + "', " + problem + "; a migration makes it: alter table " + table
                        + " add column " + column.definition());
            }
        });
    }

    private static String problem(@Nullable Found found, Column<?> column) {
        if (found == null) {
            return "which is not there";
        }
        if (!found.type().equals(column.form().type())) {
            return "which must be " + column.form().type() + ", was " + found.type();
        }
        if (found.width() != null && found.width() < column.width()) {
            return "which must hold " + column.width() + " characters, was " + found.width();
        }
        return found.isLeftOut() ? "" : "which must have a default, as not every row names it";
    }
}
