package io.github.ratelimit.spring.internal.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The application's pool, if it is HikariCP, and connections beside it. */
final class HikariPool {

    private HikariPool() {}

    /** The pool; null if it is of another kind. */
    static @Nullable HikariDataSource of(DataSource source) {
        try {
            return source.isWrapperFor(HikariDataSource.class) ? source.unwrap(HikariDataSource.class) : null;
        } catch (SQLException | NoClassDefFoundError e) { // the application has no HikariCP
            return null;
        }
    }

    /** Connections beside the pool; the data source itself if it is no such pool, or one without an address of PostgreSQL. */
    static DataSource beside(DataSource source) {
        HikariDataSource pool = of(source);
        if (pool == null || pool.getJdbcUrl() == null || !pool.getJdbcUrl().contains(":postgresql:")) {
            return source;
        }
        return (DataSource) Proxy.newProxyInstance(
                HikariPool.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return connect(pool);
                    }
                    throw new UnsupportedOperationException(method.getName()); // the store asks for connections alone
                });
    }

    /** Asks for the credentials each time: they may change. What the address says wins over these properties. */
    private static Connection connect(HikariDataSource pool) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("ApplicationName", "ratelimit");
        properties.setProperty("loginTimeout", "5"); // else a silent server keeps the thread
        properties.putAll(pool.getDataSourceProperties());
        return new DriverDataSource(
                        pool.getJdbcUrl(),
                        pool.getDriverClassName(),
                        properties,
                        pool.getUsername(),
                        pool.getPassword())
                .getConnection();
    }
}
