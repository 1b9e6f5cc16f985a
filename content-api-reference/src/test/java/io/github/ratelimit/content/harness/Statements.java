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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Stands between a server and its database, and tells which statements it runs, with their values. Safe for concurrent use. */
public final class Statements implements BeanPostProcessor {

    private final Queue<Ran> ran = new ConcurrentLinkedQueue<>();
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

    private Object connection(Method method, Object[] arguments, Object result) {
        return result instanceof Connection connection ? wrap(Connection.class, connection, this::prepared) : result;
    }

    private Object prepared(Method method, Object[] arguments, Object result) {
        if (!(result instanceof PreparedStatement statement)) {
            return result;
        }
        Map<Integer, Setting> settings = new LinkedHashMap<>();
        return wrap(PreparedStatement.class, statement, (called, values, given) -> {
            if (called.getName().startsWith("set") && values != null && values[0] instanceof Integer index) {
                settings.put(index, new Setting(called, Arrays.asList(values)));
            } else if (called.getName().startsWith("execute") && isListening && !isBackground()) {
                Ran one = new Ran((String) arguments[0], List.copyOf(settings.values()));
                ran.add(one);
                return given instanceof ResultSet rows ? wrap(ResultSet.class, rows, one::read) : given;
            }
            return given;
        });
    }

    private static boolean isBackground() {
        String thread = Thread.currentThread().getName();
        return Stream.of("scheduling-", "crawler", "item-index").anyMatch(thread::startsWith);
    }

    private interface Look {
        Object at(Method method, Object[] arguments, Object result);
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

        /** Lets the database tell how it runs this statement with these values, a line each. */
        public List<String> plan(Connection connection) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement("explain " + sql)) {
                for (Setting setting : settings) {
                    setting.method().invoke(statement, setting.arguments().toArray());
                }
                List<String> lines = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        lines.addAll(rows.getString(1).lines().toList());
                    }
                }
                return lines;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return sql;
        }
    }
}
