package io.github.ratelimit.content.server.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.ratelimit.content.server.http.Causes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class WritesTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private final JdbcTransactionManager transactions = new JdbcTransactionManager(database);
    private final Writes writes = new Writes(transactions);
    private final List<Boolean> tries = new ArrayList<>();

    @Test
    void overtakenWriteStartsOverWithoutHope() {
        String result = writes.run(hopeful -> {
            tries.add(hopeful);
            if (tries.size() < 3) {
                throw new Writes.OvertakenException();
            }
            return "written";
        });

        assertThat(result).isEqualTo("written");
        assertThat(tries).containsExactly(true, false, false);
    }

    @Test
    void whatFailedBeforeItsCommitIsSurelyNotStored() {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("create table once (number int primary key)");
        jdbc.update("insert into once values (1)");
        Writes nowhere = new Writes(
                new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:nowhere;IFEXISTS=TRUE")));

        assertThat(failure(nowhere, hopeful -> "nothing")).matches(Writes::isSurelyNotStored);
        assertThat(failure(writes, hopeful -> jdbc.update("insert into once values (null)")))
                .matches(Writes::isSurelyNotStored);
        // As a commit fails whose answer is lost.
        assertThat(failure(writes, hopeful -> {
                    throw new DataAccessResourceFailureException("no answer");
                }))
                .matches(failure -> !Writes.isSurelyNotStored(failure));
    }

    private static RuntimeException failure(Writes writes, Writes.Write<?> write) {
        return catchThrowableOfType(RuntimeException.class, () -> writes.run(write));
    }

    @Test
    void writeWithinATransactionIsTriedOnceAndWithoutHope() {
        TransactionTemplate callers = new TransactionTemplate(transactions);

        assertThatThrownBy(() -> callers.execute(status -> writes.run(hopeful -> {
                    tries.add(hopeful);
                    throw new DuplicateKeyException("taken");
                })))
                .isInstanceOf(DuplicateKeyException.class);
        assertThat(tries).containsExactly(false);
    }

    @Test
    void writersOfOneNameNeverMeetInTheDatabase() throws InterruptedException, ExecutionException {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("create table named (number int primary key)");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        AtomicInteger all = new AtomicInteger();
        try {
            Callable<Integer> writer = () -> writes.run("name", hopeful -> {
                all.incrementAndGet();
                int next = requireNonNull(
                        jdbc.queryForObject("select coalesce(max(number), 0) + 1 from named", Integer.class));
                return jdbc.update("insert into named values (?)", next);
            });
            for (Future<Integer> written : threads.invokeAll(Collections.nCopies(40, writer))) {
                assertThat(written.get()).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(all).hasValue(40);
    }

    @Test
    void writeOfANameWithinATransactionWaitsForNobody() {
        TransactionTemplate callers = new TransactionTemplate(transactions);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            String result = writes.run("name", hopeful -> {
                try {
                    return other.submit(() -> callers.execute(status -> writes.run("name", again -> "both")))
                            .get();
                } catch (InterruptedException | ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(result).isEqualTo("both");
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void writeIsPreparedBeforeEachTryAndBeforeItsTransaction() {
        List<String> steps = new ArrayList<>();
        String result = writes.runPrepared("name", hopeful -> {
            steps.add("prepared, " + hopeful + TransactionSynchronizationManager.isActualTransactionActive());
            int prepared = steps.size();
            return still -> {
                steps.add("run, " + still + TransactionSynchronizationManager.isActualTransactionActive());
                if (prepared < 3) {
                    throw new Writes.OvertakenException();
                }
                return "written";
            };
        });

        assertThat(result).isEqualTo("written");
        assertThat(steps)
                .containsExactly("prepared, truefalse", "run, truetrue", "prepared, falsefalse", "run, falsetrue");
    }

    @Test
    void whoeverWaitedForAnotherOfTheNameLooksAgain() throws InterruptedException {
        Thread second = new Thread(() -> writes.runPrepared("name", hopeful -> {
            tries.add(hopeful);
            return still -> still;
        }));
        writes.runPrepared("name", hopeful -> {
            second.start();
            while (second.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            return still -> still;
        });
        second.join();

        assertThat(tries).containsExactly(false);
    }

    @Test
    void whoeverIsOvertakenEachTimeIsToldThatTheDatabaseIsBusy() {
        assertThat(Causes.passing(new IllegalStateException(new Writes.OvertakenException())))
                .hasValueSatisfying(answer -> assertThat(answer.status()).isEqualTo(503));
    }

    @Test
    void otherFailureIsToldAsItIs() {
        assertThatThrownBy(() -> writes.run(hopeful -> {
                    tries.add(hopeful);
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");
        assertThat(tries).hasSize(1);
    }
}
