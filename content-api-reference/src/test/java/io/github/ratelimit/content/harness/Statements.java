package io.github.ratelimit.content.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Stands between a server and its database, and tells which statements it runs. Safe for concurrent use. */
public final class Statements implements BeanPostProcessor {

    private final Queue<Ran> ran = new ConcurrentLinkedQueue<>();
    private volatile boolean isListening;

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? wrap(DataSource.class, source, this::connection) : bean;
    }

    /** Runs something, and returns the statements that the server ran for it in their order. Background work is left out. */
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
        return result instanceof Connection connection ? wrap(Connection.class, connection, this::statement) : result;
    }

    private Object statement(Method method, Object[] arguments, Object result) {
        if (!(result instanceof PreparedStatement statement)) {
            return result;
        }
        return wrap(PreparedStatement.class, statement, (called, values, given) -> {
            if (!called.getName().startsWith("execute") || !isListening || isBackground()) {
                return given;
            }
            Ran one = new Ran((String) arguments[0]);
            ran.add(one);
            return given instanceof ResultSet rows ? wrap(ResultSet.class, rows, one::read) : given;
        });
    }

    private static boolean isBackground() {
        return Thread.currentThread().getName().startsWith("scheduling-");
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

    /** A statement that was run. */
    public static final class Ran {
        private final String sql;
        private final AtomicLong rows = new AtomicLong();

        private Ran(String sql) {
            this.sql = sql;
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

        @Override
        public String toString() {
            return sql;
        }
    }
}
