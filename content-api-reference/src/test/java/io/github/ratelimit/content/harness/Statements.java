package io.github.ratelimit.content.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Stands between a server and its database, tells which statements it runs, with their values, and looks whether writers of the embedded one come one
 * after another. Safe for concurrent use.
 */
public final class Statements implements BeanPostProcessor {
    private static final Pattern WRITE =
            Pattern.compile("(?is)\\s*(insert|update|delete|merge)\\b.*|.*\\bfor update\\s*");

    private final Queue<Ran> ran = new ConcurrentLinkedQueue<>();
    private final Map<String, Boolean> writes = new ConcurrentHashMap<>();
    private final Map<Connection, String> writing = new ConcurrentHashMap<>();
    private final Queue<String> meetings = new ConcurrentLinkedQueue<>();
    private volatile boolean isListening;

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? wrap(DataSource.class, source, this::connection) : bean;
    }

    /** Runs something, and returns the statements that the server ran for it, in their order: not what goes on in the background. */
    public List<Ran> during(Runnable work) {
        ran.clear();
        isListening = true;
        try {
            work.run();
        } finally {
            isListening = false;
        }
        return List.copyOf(ran);
    }

    /** Returns pairs of statements of which one wrote to the embedded database while the other's transaction had written, and had not ended. */
    List<String> meetings() {
        return List.copyOf(meetings);
    }

    private Object connection(Method method, Object[] arguments, Object result) throws SQLException {
        if (!(result instanceof Connection connection)) {
            return result;
        }
        boolean isEmbedded = connection.getMetaData().getURL().startsWith("jdbc:h2:");
        return wrap(Connection.class, connection, (called, values, given) -> {
            if (Set.of("commit", "rollback", "close").contains(called.getName())) {
                writing.remove(connection);
            }
            return prepared(values, given, sql -> {
                if (isEmbedded
                        && writes.computeIfAbsent(sql, one -> WRITE.matcher(one).matches())) {
                    wrote(connection, sql);
                }
            });
        });
    }

    private void wrote(Connection connection, String sql) throws SQLException {
        writing.forEach((other, earlier) -> {
            if (other != connection) {
                meetings.add(sql + " <-> " + earlier);
            }
        });
        if (!connection.getAutoCommit()) {
            writing.put(connection, sql);
        }
    }

    private interface Listener {
        void ran(String sql) throws SQLException;
    }

    private Object prepared(Object[] arguments, Object result, Listener listener) {
        if (!(result instanceof PreparedStatement statement)) {
            return result;
        }
        Map<Integer, Setting> settings = new LinkedHashMap<>();
        return wrap(PreparedStatement.class, statement, (called, values, given) -> {
            if (called.getName().startsWith("set")
                    && values != null
                    && values.length > 1
                    && values[0] instanceof Integer index) {
                settings.put(index, new Setting(called, Arrays.asList(values)));
                return given;
            }
            if (called.getName().startsWith("execute")) {
                listener.ran((String) arguments[0]);
            }
            if (called.getName().startsWith("execute") && isListening && !isBackground()) {
                Ran one = new Ran((String) arguments[0], List.copyOf(settings.values()));
                ran.add(one);
                return given instanceof ResultSet rows ? wrap(ResultSet.class, rows, one::read) : given;
            }
            return given;
        });
    }

    private static boolean isBackground() {
        String thread = Thread.currentThread().getName();
        return thread.startsWith("scheduling-");
    }

    private interface Look {
        Object at(Method method, Object[] arguments, Object result) throws SQLException;
    }

    private static <T> T wrap(Class<T> type, T target, Look look) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
                    try {
                        return look.at(method, values, method.invoke(target, values));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private record Setting(Method method, List<Object> arguments) {}

    /**
     * How a statement was run.
     *
     * @param lines as the database tells it
     * @param wanted how many rows it was about: given, counted, changed, named or skipped
     */
    public record Plan(List<String> lines, long wanted) {
        /** H2 tells what it read of each table; PostgreSQL what it kept and threw away of what it read, each time. */
        private static final Pattern READ = Pattern.compile(
                "scanCount: (\\d+)|(?<!Bitmap Index )Scan .* rows=([\\d.]+) loops=(\\d+)|Rows Removed by (?:Filter|Index Recheck): (\\d+)");

        /** Tells how many rows were read. */
        public long read() {
            double read = 0;
            double loops = 1;
            for (String line : lines) {
                Matcher found = READ.matcher(line);
                if (!found.find()) {
                    continue;
                }
                if (found.group(1) != null) {
                    read += Long.parseLong(found.group(1));
                } else if (found.group(2) != null) {
                    loops = Double.parseDouble(found.group(3));
                    read += Double.parseDouble(found.group(2)) * loops;
                } else {
                    read += Long.parseLong(found.group(4)) * loops;
                }
            }
            return (long) read;
        }

        @Override
        public String toString() {
            return read() + " rows read for " + wanted + "\n" + String.join("\n", lines);
        }
    }

    /** A statement that was run. */
    public static final class Ran {
        private final String sql;
        private final List<Setting> settings;
        private final AtomicLong rows = new AtomicLong();

        private Ran(String sql, List<Setting> settings) {
            this.sql = sql;
            this.settings = settings;
        }

        /** Returns its text. */
        public String sql() {
            return sql;
        }

        /** Returns its text, and how many rows of its result were read. */
        public String work() {
            return sql + " -> " + rows + " rows";
        }

        private Object read(Method method, Object[] arguments, Object result) {
            if (method.getName().equals("next") && Boolean.TRUE.equals(result)) {
                rows.incrementAndGet();
            }
            return result;
        }

        /**
         * Runs this statement again with its values and lets the database tell how; what it writes is taken back.
         *
         * @param connection takes part in no transaction
         */
        public Plan plan(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            try (PreparedStatement again = prepared(connection, "");
                    PreparedStatement explained = prepared(connection, "explain analyze ")) {
                List<String> lines = new ArrayList<>();
                try (ResultSet rows = explained.executeQuery()) {
                    while (rows.next()) {
                        lines.addAll(rows.getString(1).lines().toList());
                    }
                }
                return new Plan(lines, named() + (again.execute() ? given(again) : again.getUpdateCount()));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }

        private PreparedStatement prepared(Connection connection, String before)
                throws SQLException, ReflectiveOperationException {
            PreparedStatement statement = connection.prepareStatement(before + sql);
            for (Setting setting : settings) {
                setting.method().invoke(statement, setting.arguments().toArray());
            }
            return statement;
        }

        /** Counts what the statement names: the things of its lists, and the rows that it skips. */
        private long named() {
            List<Object> values =
                    settings.stream().map(setting -> setting.arguments().get(1)).toList();
            long named = values.stream()
                    .mapToLong(value -> value instanceof Object[] list ? list.length : 0)
                    .sum();
            Object skipped = sql.contains(" offset ?") ? values.get(values.size() - 2) : 0;
            return named + ((Number) skipped).longValue();
        }

        /** Counts the rows that it gives, or that it counted. */
        private long given(PreparedStatement statement) throws SQLException {
            long given = 0;
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    given += sql.startsWith("select count(*)") ? rows.getLong(1) : 1;
                }
            }
            return given;
        }

        @Override
        public String toString() {
            return sql;
        }
    }
}
