package io.github.ratelimit.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.FileSystemResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** The tools that docs/postgresql.md names run the script, with the settings that it names. */
class MigrationToolsTest {

    private static final String SCHEMA = "migrated";

    private final PostgresServer server = PostgresServer.shared();

    @TempDir
    private Path directory;

    @BeforeEach
    void writeScript() throws IOException {
        server.run(
                "DROP SCHEMA IF EXISTS migrated CASCADE; DROP SCHEMA IF EXISTS history CASCADE; CREATE SCHEMA history");
        Files.writeString(directory.resolve("V1__limits.sql"), PostgresStore.schemaScript(SCHEMA, false));
    }

    private void assertThatANodeDecides() {
        try (PostgresStore store = PostgresStore.builder()
                .dataSource(server.dataSource())
                .schema(SCHEMA)
                .startTimeout(Outages.PATIENT)
                .timeout(Outages.PATIENT)
                .build()) {
            assertThat(store.health().reason()).isEmpty();
            assertThat(store.tryAcquire(Outages.CHARGES).allowed()).isTrue();
        }
    }

    @Test
    void flyway() {
        Flyway.configure()
                .dataSource(server.dataSource())
                .defaultSchema("history")
                .locations("filesystem:" + directory)
                .load()
                .migrate();
        assertThatANodeDecides();
    }

    @Test
    void liquibase() throws IOException, SQLException, LiquibaseException {
        Files.writeString(directory.resolve("changelog.yaml"), """
                databaseChangeLog:
                  - changeSet:
                      id: limits
                      author: somebody
                      changes:
                        - sqlFile: { path: V1__limits.sql, splitStatements: false }
                """);
        System.setProperty("liquibase.analytics.enabled", "false"); // else it reports its use
        try (Connection connection = server.dataSource().getConnection()) {
            connection.setSchema("history");
            try (Liquibase liquibase = new Liquibase(
                    "changelog.yaml", new DirectoryResourceAccessor(directory), new JdbcConnection(connection))) {
                liquibase.update(new Contexts());
            }
        }
        assertThatANodeDecides();
    }

    /** As {@code spring.sql.init} does it. */
    @Test
    void springSqlInit() {
        ResourceDatabasePopulator populator =
                new ResourceDatabasePopulator(new FileSystemResource(directory.resolve("V1__limits.sql")));
        populator.setSeparator("^^^ END OF SCRIPT ^^^");
        populator.execute(server.dataSource());
        assertThatANodeDecides();
    }
}
