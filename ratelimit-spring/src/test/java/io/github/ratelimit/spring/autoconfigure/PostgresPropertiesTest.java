package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.Charge;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import io.github.ratelimit.postgresql.PostgresStore;
import io.github.ratelimit.spring.PostgresStoreBuilderCustomizer;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.remote.RemoteStart;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

/** What the properties of the store on PostgreSQL do, and which set-ups stop the start. No server is asked. */
@Floor
class PostgresPropertiesTest {

    private final ApplicationContextRunner none = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withPropertyValues("ratelimit.store=postgresql", "ratelimit.postgresql.start-timeout=0");

    private final ApplicationContextRunner runner = none.withBean("orders", DataSource.class, () -> postgres(1));

    private static DataSource postgres(int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        return source;
    }

    private static void assertStops(ApplicationContextRunner runner, String message, String remedy) {
        runner.run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOfSatisfying(InvalidRateLimitException.class, failure -> {
                    assertThat(failure).hasMessage(message);
                    assertThat(failure.remedy()).contains(remedy);
                }));
    }

    @Test
    void storeIsThereWithWhatBelongsToIt() {
        runner.withPropertyValues("ratelimit.store=PostgreSQL")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .hasSingleBean(PostgresStore.class)
                        .hasSingleBean(RemoteStart.class)
                        .hasBean("ratelimitHealthIndicator"));
    }

    @Test
    void applicationsOwnStoreAndSwitchedOffLimitsAskForNoDataSource() {
        none.withBean(Store.class, InProcessStore::create)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(InProcessStore.class));
        none.withPropertyValues("ratelimit.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PostgresStore.class));
    }

    @Test
    void missingDataSourceStopsTheStart() {
        assertStops(
                none,
                "ratelimit.store: is postgresql, but the application has no DataSource",
                "beside R2DBC, Spring Boot makes none, so declare a DataSource bean");
    }

    @Test
    void oneOfSeveralDataSourcesHasToBeNamedOrPrimary() {
        ApplicationContextRunner two = runner.withBean("counts", DataSource.class, () -> postgres(1));
        assertStops(
                two,
                "ratelimit.store: is postgresql, but 2 DataSource beans are there and none is primary: orders, counts",
                "set ratelimit.postgresql.data-source to the name of one");
        assertStops(
                two.withPropertyValues("ratelimit.postgresql.data-source=count"),
                "ratelimit.postgresql.data-source: no DataSource bean is named 'count'; known: orders, counts",
                "correct the value of ratelimit.postgresql.data-source");
        two.withPropertyValues("ratelimit.postgresql.data-source=counts")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PostgresStore.class));
        runner.withBean("main", DataSource.class, () -> postgres(1), bean -> bean.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PostgresStore.class));
    }

    private static HikariDataSource pool(int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/postgres");
        pool.setMaximumPoolSize(size);
        return pool;
    }

    /** A pool of two is the store's alone, if the application has another one. */
    @Test
    void namedPoolNeedsRoomForTheStore() {
        ApplicationContextRunner named = none.withPropertyValues("ratelimit.postgresql.data-source=counts");
        for (int size = 1; size <= 2; size++) {
            HikariDataSource small = pool(size);
            assertStops(
                    named.withBean("counts", DataSource.class, () -> small),
                    "ratelimit.postgresql.data-source: the store needs 2 connections of the pool and leaves 0 of "
                            + size,
                    "raise the maximum size of the pool");
        }
        named.withBean("counts", DataSource.class, () -> pool(2))
                .withBean("orders", DataSource.class, () -> pool(1))
                .run(context -> assertThat(context).hasNotFailed());
        named.withBean("counts", DataSource.class, () -> pool(3))
                .run(context -> assertThat(context).hasNotFailed());
        none.withBean("counts", DataSource.class, () -> pool(1))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void otherDatabaseStopsTheStart() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:limits");
        assertStops(
                none.withBean(DataSource.class, () -> h2).withPropertyValues("ratelimit.postgresql.start-timeout=1m"),
                "ratelimit.store: is postgresql, but the DataSource leads to H2",
                "set ratelimit.postgresql.data-source to a DataSource of PostgreSQL");
    }

    @Test
    void missingArtifactStopsTheStart() {
        assertStops(
                runner.withClassLoader(new FilteredClassLoader("io.github.ratelimit.postgresql")),
                "ratelimit.store: is postgresql, but the store on PostgreSQL is not there",
                "add the dependency io.github.ratelimit:ratelimit-postgresql");
    }

    @ParameterizedTest
    @CsvSource({
        "schema, Limits, 'schema must be up to 63 lower-case letters, digits and underscores, was ''Limits'''",
        "timeout, 0, 'timeout must be 1ms to 1m, was 0s'",
        "remember-rejections, -1s, 'rememberRejections must be 0 or more, was -1s'",
        "maximum-pending, 0, 'maximumPending must be 1 or more, was 0'",
        "secret, c2hvcnQ=, 'secret must be 16 bytes or more, was 5'",
        "start-timeout, -1s, 'must be 0 or more, was -1s'",
        "local-share, 2, 'must be more than 0 and at most 1, for example 0.25, was 2.0'"
    })
    void wrongValuesAreNamed(String name, String value, String message) {
        String property = "ratelimit.postgresql." + name;
        assertStops(
                runner.withPropertyValues("ratelimit.postgresql.start-timeout=1ms", property + "=" + value),
                property + ": " + message,
                "");
    }

    @Test
    void unknownNameStopsTheStartAndShowsNoValue() {
        runner.withPropertyValues("ratelimit.postgresql.secrets=hidden")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("[ratelimit.postgresql.secrets] were left unbound")
                        .hasMessageNotContaining("hidden"));
    }

    @Test
    void customizersFollowThePropertiesInTheirOrder() {
        runner.withPropertyValues("ratelimit.postgresql.schema=property")
                .run(context ->
                        assertThat(context.getBean(PostgresStore.class)).hasToString("PostgreSQL (schema property)"));
        runner.withPropertyValues("ratelimit.postgresql.schema=property")
                .withBean("last", PostgresStoreBuilderCustomizer.class, () -> store -> store.schema("bean"))
                .run(context ->
                        assertThat(context.getBean(PostgresStore.class)).hasToString("PostgreSQL (schema bean)"));
    }

    @Test
    void secretChangesTheNamesOfCounters() {
        List<Charge> charges = List.of(new Charge("api", Limit.of("only", 1, Duration.ofHours(1)), Key.of("ann"), 1));
        runner.run(context -> {
            Object without = context.getBean(PostgresStore.class).keys(charges);
            runner.withPropertyValues("ratelimit.postgresql.secret=c2VjcmV0IG9mIDE2IGJ5dGVzIG9yIG1vcmU=")
                    .run(other -> assertThat(other.getBean(PostgresStore.class).keys(charges))
                            .isNotEqualTo(without));
        });
    }
}
