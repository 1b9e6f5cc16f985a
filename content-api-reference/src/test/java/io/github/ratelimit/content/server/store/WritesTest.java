package io.github.ratelimit.content.server.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.ratelimit.content.harness.AtOnce;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

class WritesTest {
    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final Writes writes = on(database);

    private static Writes on(DriverManagerDataSource database) {
        return new Writes(new JdbcTransactionManager(database), JdbcClient.create(database));
    }

    @BeforeEach
    void make() {
        jdbc.execute("create table content_generation (id smallint primary key, number bigint)");
        jdbc.update("insert into content_generation values (1, 1)");
        jdbc.execute("create table once (number int primary key)");
    }

    @Test
    void failureBeforeTheCommitIsSurelyNotStored() {
        jdbc.update("insert into once values (1)");
        Writes nowhere = on(new DriverManagerDataSource("jdbc:h2:mem:nowhere;IFEXISTS=TRUE"));

        assertThat(failure(nowhere, () -> "nothing")).matches(Writes::isSurelyNotStored);
        assertThat(failure(writes, () -> jdbc.update("insert into once values (null)")))
                .matches(Writes::isSurelyNotStored);
        // A commit fails so where its answer is lost.
        assertThat(failure(writes, () -> {
                    throw new DataAccessResourceFailureException("no answer");
                }))
                .matches(failure -> !Writes.isSurelyNotStored(failure));
    }

    private static RuntimeException failure(Writes writes, Supplier<?> write) {
        return catchThrowableOfType(RuntimeException.class, () -> writes.run(write));
    }

    @Test
    void writeWithinAWriteIsAPartOfIt() {
        assertThatThrownBy(() -> writes.run(() -> {
                    writes.run(() -> jdbc.update("insert into once values (1)"));
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(jdbc.queryForObject("select count(*) from once", Integer.class))
                .isZero();
    }

    @Test
    void writersNeverMeetInTheDatabase() {
        List<Integer> written = AtOnce.run(
                40,
                thread -> writes.run(() -> {
                    int next = requireNonNull(
                            jdbc.queryForObject("select coalesce(max(number), 0) + 1 from once", Integer.class));
                    return jdbc.update("insert into once values (?)", next);
                }));
        assertThat(written).containsOnly(1);
    }
}
