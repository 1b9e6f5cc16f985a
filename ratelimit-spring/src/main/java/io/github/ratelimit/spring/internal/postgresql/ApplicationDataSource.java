package io.github.ratelimit.spring.internal.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the application's data source, and looks whether it leads to PostgreSQL and has room for the store. */
public final class ApplicationDataSource {

    private static final Log LOG = LogFactory.getLog(ApplicationDataSource.class);

    private static final String NAME = "ratelimit.postgresql.data-source";

    private ApplicationDataSource() {}

    /**
     * Finds it.
     *
     * @param name of the bean, whose pool the store takes from; null is the only or primary one, beside whose pool the store connects if it
     *     is HikariCP
     * @param longest how long to wait for a connection; 0 asks for none. A database that does not answer may be PostgreSQL
     * @throws InvalidRateLimitException if there is none, if several are there, if its pool has no room, or if it leads to another
     *     database
     */
    public static DataSource of(ListableBeanFactory beans, @Nullable String name, Duration longest) {
        List<String> names = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
        if (names.isEmpty()) {
            throw new InvalidRateLimitException(
                    "ratelimit.store: is postgresql, but the application has no DataSource",
                    "set spring.datasource.url and add spring-boot-starter-jdbc and org.postgresql:postgresql; beside R2DBC, Spring Boot makes none, so declare a DataSource bean");
        }
        if (name != null && !names.contains(name)) {
            throw new InvalidRateLimitException(
                    "%s: no DataSource bean is named '%s'; known: %s".formatted(NAME, name, String.join(", ", names)),
                    "correct the value of " + NAME);
        }
        DataSource source = name == null
                ? beans.getBeanProvider(DataSource.class).getIfUnique()
                : beans.getBean(name, DataSource.class);
        if (source == null) {
            throw new InvalidRateLimitException(
                    "ratelimit.store: is postgresql, but %d DataSource beans are there and none is primary: %s"
                            .formatted(names.size(), String.join(", ", names)),
                    "set %s to the name of one".formatted(NAME));
        }
        DataSource used = name == null ? HikariPool.beside(source) : source;
        if (name != null) {
            checkRoom(source, beans.getBeanProvider(DataSource.class).getIfUnique() == source);
        }
        String product = product(used, longest);
        if (product != null && !product.equals("PostgreSQL")) {
            throw new InvalidRateLimitException(
                    "ratelimit.store: is postgresql, but the DataSource leads to " + product,
                    "set %s to a DataSource of PostgreSQL, or ratelimit.store to in-process or redis".formatted(NAME));
        }
        return used;
    }

    /** The store keeps two connections, and the application needs one if it uses the pool too. */
    private static void checkRoom(DataSource source, boolean isShared) {
        HikariDataSource pool = HikariPool.of(source);
        int size = pool == null ? Integer.MAX_VALUE : pool.getMaximumPoolSize();
        if (size < (isShared ? 3 : 2)) {
            throw new InvalidRateLimitException(
                    "%s: the store needs 2 connections of the pool and leaves %d of %d"
                            .formatted(NAME, Math.max(0, size - 2), size),
                    "raise the maximum size of the pool, or remove the property: the store then connects beside it");
        }
    }

    /** On a thread of its own: a server that accepts a connection and says nothing holds it up for good. */
    private static @Nullable String product(DataSource source, Duration longest) {
        if (longest.toMillis() <= 0) {
            return null;
        }
        FutureTask<String> look = new FutureTask<>(() -> {
            try (Connection connection = source.getConnection()) {
                return connection.getMetaData().getDatabaseProductName();
            }
        });
        Thread thread = new Thread(look, "ratelimit-database");
        thread.setDaemon(true);
        thread.start();
        try {
            return look.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The database did not say what it is", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
