package io.github.ratelimit.content.shared.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What statements read and change is known, however they are written, and told when others see it. */
class PartsTest {
    private final SingleConnectionDataSource database =
            new SingleConnectionDataSource("jdbc:h2:mem:" + UUID.randomUUID(), true);
    private final List<Set<String>> told = new ArrayList<>();
    private final Parts parts = new Parts(new StaticListableBeanFactory(Map.of("listener", (ChangeListener) told::add))
            .getBeanProvider(ChangeListener.class));
    private final WriterQueue writers = new WriterQueue(1, longest -> longest);
    private final JdbcTemplate template =
            new StatementConfiguration().jdbcTemplate(database, new JdbcProperties(), writers, Unbounded.WORK, parts);
    private final JdbcClient jdbc = JdbcClient.create(template);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new StatementConfiguration().transactionManager(database, writers, Unbounded.WORK));

    @BeforeEach
    void create() {
        template.execute("create table thing (id bigint, name varchar(9))");
        template.execute("create table part (id bigint, thing_id bigint)");
        told.clear();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Optional<Set<String>> readBy(Runnable work) {
        try (Parts.Reading reading = parts.begin()) {
            work.run();
            return reading.parts();
        }
    }

    private void query(String sql) {
        jdbc.sql(sql).query().listOfRows();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            select id from thing | thing
            select t.id from thing t where t.id = 1 for update | thing
            SELECT t.id FROM thing t JOIN part p on p.thing_id = t.id | thing part
            select t.id from thing t, part p | thing part
            select t.id from thing as t where exists (select 1 from part) | thing part
            select thing.id from thing as t join part on true, thing | thing part
            select thing.id from thing join part on part.thing_id = thing.id | thing part
            select x.id from (select id from thing) x, part p | thing part
            select id from (select id from part) | part
            select (select id from part fetch first 1 rows only) from thing | thing part
            """)
    void aStatementReadsWhatItNames(String sql, String tables) {
        assertThat(readBy(() -> query(sql)).orElseThrow()).contains(tables.split(" "));
    }

    @Test
    void whatIsDeclaredIsReadInPlaceOfTheTable() {
        Optional<Set<String>> read = readBy(() -> parts.only(Parts.of("thing", List.of(7L)), () -> {
            query("select id from thing where id = 7");
            return 1;
        }));

        assertThat(read).contains(Set.of("thing 7", "thing *"));
    }

    @Test
    void nobodyKnowsWhatAStatementReadsThatComesAnotherWay() {
        assertThat(readBy(() -> template.queryForList("select id from thing"))).isEmpty();
        assertThat(readBy(() -> query("select 1"))).isEmpty();
        assertThat(readBy(() -> {
                    readBy(() -> query("select 1"));
                    query("select id from thing");
                }))
                .isEmpty();
    }

    @Test
    void aWriteChangesItsTableAndAllThatIsDeclaredOfIt() {
        jdbc.sql("insert into part (id, thing_id) select id, id from thing").update();
        jdbc.sql("update thing set name = 'x'").update();
        jdbc.sql("delete from part where thing_id in (select id from thing)").update();

        assertThat(told)
                .containsExactly(Set.of("part", "part *"), Set.of("thing", "thing *"), Set.of("part", "part *"));
    }

    @Test
    void aWriteThatIsDeclaredChangesThat() {
        int written = parts.only(
                Parts.of("thing", List.of(7L)),
                () -> jdbc.sql("update thing set name = 'x' where id = 7").update());

        assertThat(written).isZero();
        assertThat(told).containsExactly(Set.of("thing", "thing 7"));
    }

    @Test
    void aWriteThatComesAnotherWayChangesAnything() {
        template.execute("update thing set name = 'x'");

        assertThat(told).containsExactly(Set.of(Parts.ANY));
    }

    @Test
    void whatATransactionChangesIsToldOnceItIsCommitted() {
        int before = requireNonNull(transaction.execute(status -> {
            jdbc.sql("update thing set name = 'x'").update();
            parts.changed(List.of("thing 7"));
            return told.size();
        }));

        assertThat(before).isZero();
        assertThat(told).containsExactly(Set.of("thing", "thing *", "thing 7"));
    }

    @Test
    void whatATransactionWithinAnotherOneChangesIsItsOwn() {
        var manager = new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()));
        var outer = new TransactionTemplate(manager);
        var inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        outer.executeWithoutResult(around -> {
            parts.changed(List.of("thing 1"));
            inner.executeWithoutResult(status -> parts.changed(List.of("thing 2")));
            assertThat(told).as("once it is committed").containsExactly(Set.of("thing 2"));
            inner.executeWithoutResult(status -> {
                parts.changed(List.of("thing 3"));
                status.setRollbackOnly();
            });
            parts.changed(List.of("thing 4"));
        });
        assertThat(told).containsExactly(Set.of("thing 2"), Set.of("thing 1", "thing 4"));
        outer.executeWithoutResult(around -> {
            inner.executeWithoutResult(status -> parts.changed(List.of("thing 5")));
            parts.changed(List.of("thing 6"));
            around.setRollbackOnly();
        });

        assertThat(told).hasSize(3).endsWith(Set.of("thing 5"));
    }

    @Test
    void whatIsChangedIsAnnouncedBeforeOthersSeeItAndOnlyWhereItMayBe() {
        List<Set<String>> announced = new ArrayList<>();
        Parts announcing = new Parts(new StaticListableBeanFactory(Map.of("listener", new ChangeListener() {
                    @Override
                    public void changed(Set<String> changed) {
                        told.add(changed);
                    }

                    @Override
                    public void committing(Set<String> changed) {
                        announced.add(changed);
                    }
                }))
                .getBeanProvider(ChangeListener.class));

        transaction.executeWithoutResult(status -> {
            announcing.changed(List.of("thing 1"));
            announcing.changed(List.of("thing 2"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    assertThat(announced).containsExactly(Set.of("thing 1", "thing 2"));
                    assertThat(told).isEmpty();
                }
            });
        });
        transaction.executeWithoutResult(status -> {
            announcing.changed(List.of("thing 3"));
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> announcing.writes("update thing set name = 'x'", () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(told).containsExactly(Set.of("thing 1", "thing 2"), Set.of("thing", "thing *"));
        assertThat(announced).hasSize(1);
        announcing.changed(List.of("thing 4"));
        assertThat(announced).endsWith(Set.of("thing 4"));
    }

    @Test
    void whatIsRolledBackIsNotTold() {
        transaction.executeWithoutResult(status -> {
            jdbc.sql("update thing set name = 'x'").update();
            status.setRollbackOnly();
        });
        transaction.executeWithoutResult(status -> jdbc.sql("delete from part").update());

        assertThat(told).containsExactly(Set.of("part", "part *"));
    }
}
