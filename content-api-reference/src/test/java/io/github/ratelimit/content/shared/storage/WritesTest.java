package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class WritesTest {

    private final JdbcTransactionManager transactions =
            new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));
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
