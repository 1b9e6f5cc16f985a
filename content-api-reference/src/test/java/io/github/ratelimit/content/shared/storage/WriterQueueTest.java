package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.shared.container.Causes;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Writers of the embedded database never meet in it, whichever way they write. */
class WriterQueueTest {
    private static final String WRITE = "update thing set number = number + 1 where id = 1";

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1");
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final WriterQueue writers = new WriterQueue(1, longest -> longest);
    private final JdbcTemplate jdbc =
            new StatementConfiguration().jdbcTemplate(database, new JdbcProperties(), writers, Unbounded.WORK);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new StatementConfiguration().transactionManager(database, writers, Unbounded.WORK));

    /** A way to write. */
    private interface Write {
        void by(JdbcTemplate jdbc, TransactionTemplate transaction);
    }

    static Stream<Write> waysToWrite() {
        return Stream.of(
                (jdbc, transaction) -> jdbc.update(WRITE.replace("1 where", "? where"), 1),
                (jdbc, transaction) -> JdbcClient.create(jdbc).sql(WRITE).update(),
                (jdbc, transaction) -> JdbcClient.create(jdbc)
                        .sql(WRITE.replace("1 where", ":by where"))
                        .param("by", 1)
                        .update(new GeneratedKeyHolder(), "number"),
                (jdbc, transaction) -> jdbc.execute(
                        connection -> connection.prepareStatement(WRITE),
                        (PreparedStatementCallback<Integer>) PreparedStatement::executeUpdate),
                (jdbc, transaction) -> transaction.executeWithoutResult(status -> jdbc.update(WRITE)));
    }

    @BeforeEach
    void make() {
        jdbc.execute("create table thing (id int primary key, number int)");
        jdbc.execute("insert into thing values (1, 0)");
    }

    @AfterEach
    void end() {
        others.shutdownNow();
        jdbc.execute("shutdown");
    }

    /** The database itself would give up after a millisecond. */
    @ParameterizedTest
    @MethodSource("waysToWrite")
    void whoeverWritesWaitsForTheTransactionOfAnother(Write write) throws ExecutionException, InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<?> first = others.submit(() -> transaction.executeWithoutResult(status -> {
            jdbc.update(WRITE);
            begun.countDown();
            await(mayEnd);
            status.setRollbackOnly();
        }));
        begun.await();

        Future<?> second = others.submit(() -> write.by(jdbc, transaction));
        while (!second.isDone() && !writers.hasWaiting()) {
            Thread.onSpinWait();
        }
        assertThat(jdbc.queryForObject("select number from thing", Integer.class))
                .isZero();
        mayEnd.countDown();
        first.get();
        second.get();

        assertThat(jdbc.queryForObject("select number from thing", Integer.class))
                .isOne();
    }

    @Test
    void whoWritesMayBeginAnotherTransaction() {
        transaction.executeWithoutResult(status -> transaction.executeWithoutResult(again -> jdbc.update(WRITE)));

        assertThat(jdbc.queryForObject("select number from thing", Integer.class))
                .isOne();
    }

    @Test
    void aTransactionThatCannotBeginLetsOthersWrite() throws ExecutionException, InterruptedException {
        DriverManagerDataSource broken = new DriverManagerDataSource("jdbc:none:");
        TransactionTemplate failing = new TransactionTemplate(
                new StatementConfiguration().transactionManager(broken, writers, Unbounded.WORK));

        assertThatThrownBy(() -> failing.executeWithoutResult(status -> {}))
                .isInstanceOf(CannotCreateTransactionException.class);

        assertThat(others.submit(() -> jdbc.update(WRITE)).get()).isOne();
    }

    @Test
    void whoWaitsTooLongIsToldThatTheDatabaseIsBusy() throws ExecutionException, InterruptedException {
        WriterQueue impatient = new WriterQueue(1, longest -> longest, Duration.ZERO);
        impatient.begin();

        Throwable told = others.submit(() -> {
                    try {
                        impatient.begin();
                        return null;
                    } catch (QueryTimeoutException e) {
                        return e;
                    }
                })
                .get();

        assertThat(told).isNotNull();
        assertThat(Causes.passing(told))
                .hasValueSatisfying(answer -> assertThat(answer.status()).isEqualTo(503));
    }

    @Test
    void whoMayNotWaitLongDoesNot() throws ExecutionException, InterruptedException {
        AtomicReference<Duration> asked = new AtomicReference<>();
        WriterQueue full = new WriterQueue(1, asked::getAndSet, Duration.ofDays(1));
        asked.set(Duration.ZERO);
        full.begin();
        asked.set(Duration.ZERO);

        Future<Object> told = others.submit(() -> full.inTurn(() -> "written"));

        assertThatThrownBy(told::get).hasCauseInstanceOf(QueryTimeoutException.class);
        assertThat(asked).hasValue(Duration.ofDays(1));
    }

    @ParameterizedTest
    @CsvSource({"jdbc:postgresql://localhost/content, 5", "jdbc:h2:file:./content, 1"})
    void writersOfAnotherDatabaseLeaveConnectionsToReaders(String url, int atOnce) throws InterruptedException {
        WriterQueue queue = new StatementConfiguration().writerQueue(url, 11, longest -> longest);
        for (int i = 0; i < atOnce; i++) {
            assertThat(queue.isTaken()).isFalse();
            Thread another = new Thread(queue::begin);
            another.start();
            another.join();
        }

        assertThat(queue.isTaken()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
