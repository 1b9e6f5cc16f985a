package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.SharedSettings;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as nodes find them: whole, half made, of other versions, or made by an administrator. */
class SchemaTest {

    private static final String SCHEMA = "found";

    private final PostgresServer server = PostgresServer.shared();
    private final Outages outages = new Outages(SCHEMA);

    @AfterEach
    void end() {
        outages.close();
    }

    private PostgresStore.Builder store() {
        return PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(SCHEMA)
                .createSchema(true)
                .startTimeout(Outages.PATIENT)
                .timeout(Outages.PATIENT);
    }

    private void assertThatANodeDecides() {
        try (PostgresStore store = store().build()) {
            assertThat(store.health().reason()).isEmpty();
            assertThat(store.tryAcquire(Outages.CHARGES).allowed()).isTrue();
        }
    }

    private String source(String function) {
        return server.text("SELECT prosrc FROM pg_proc WHERE oid = '%s.%s'::regprocedure".formatted(SCHEMA, function));
    }

    /** Without a comment, the one that the script has made. */
    @ParameterizedTest
    @CsvSource({"'', true", "'ratelimit 2.99', true", "'ratelimit 2.0', false", "'ratelimit', false", "NULL, false"})
    void nodeReplacesOlderFunctionsOnly(String comment, boolean stay) {
        server.createSchema(SCHEMA);
        server.run("""
                CREATE OR REPLACE FUNCTION found.clock_2() RETURNS bigint LANGUAGE sql VOLATILE AS
                $$ SELECT /* mark */ floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$
                """);
        if (!comment.isEmpty()) {
            String text = comment.equals("NULL") ? comment : "'" + comment + "'";
            server.run("COMMENT ON FUNCTION found.decide_2 IS " + text);
        }
        assertThatANodeDecides();
        assertThat(source("clock_2()").contains("mark")).isEqualTo(stay);
    }

    @Test
    void nameMayBeAReservedWord() {
        server.run("DROP SCHEMA IF EXISTS \"order\" CASCADE");
        try (PostgresStore store = store().schema("order").build()) {
            assertThat(store.health().reason()).isEmpty();
            assertThat(store.tryAcquire(Outages.CHARGES).allowed()).isTrue();
            SharedSettings settings = store.sharedSettings().orElseThrow();
            settings.put(Map.of("api/shadow", "true")).join();
            assertThat(settings.read().join()).containsOnlyKeys("api/shadow");
            Outages.await("it cleans up", () -> server.number("SELECT \"order\".clean_up_2(10)") > 0);
        }
    }

    @Test
    void functionsOfAnotherVersionStay() {
        server.run("""
                DROP SCHEMA IF EXISTS found CASCADE;
                CREATE SCHEMA found;
                CREATE FUNCTION found.decide(keys uuid[], args bigint[]) RETURNS bigint[] LANGUAGE sql AS $$ SELECT '{7}'::bigint[] $$;
                CREATE FUNCTION found.decide_3(keys uuid[], args bigint[]) RETURNS bigint[] LANGUAGE sql AS $$ SELECT '{8}'::bigint[] $$
                """);
        assertThatANodeDecides();
        assertThat(source("decide(uuid[], bigint[])")).isEqualTo(" SELECT '{7}'::bigint[] ");
        assertThat(source("decide_3(uuid[], bigint[])")).isEqualTo(" SELECT '{8}'::bigint[] ");
    }

    /** As by a tool that commits each statement. */
    @ParameterizedTest
    @ValueSource(
            strings = {"CREATE UNLOGGED TABLE IF NOT EXISTS \"found\".ticket", "-- Takes permits", "COMMENT ON FUNCTION"
            })
    void scriptThatEndedHalfwayIsCompleted(String end) {
        String script = PostgresStore.schemaScript(SCHEMA, false);
        server.run("DROP SCHEMA IF EXISTS found CASCADE");
        server.run(script.substring(0, script.indexOf(end)));
        assertThatANodeDecides();
        assertThat(server.number("SELECT found.clean_up_2(10)")).isPositive();
    }

    @Test
    void ownerOfTheSchemaNeedsNoRightOnTheDatabase() {
        server.run("""
                DROP SCHEMA IF EXISTS found CASCADE;
                CREATE ROLE owner LOGIN PASSWORD 'postgres';
                CREATE SCHEMA found AUTHORIZATION owner
                """);
        try (PostgresStore store = store().dataSource(PostgresServer.dataSource("owner", server.port()))
                .build()) {
            assertThat(store.health().reason()).isEmpty();
            assertThat(store.tryAcquire(Outages.CHARGES).allowed()).isTrue();
        } finally {
            server.run("DROP OWNED BY owner CASCADE; DROP ROLE owner");
        }
    }
}
