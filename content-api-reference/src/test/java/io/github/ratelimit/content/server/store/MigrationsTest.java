package io.github.ratelimit.content.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The steps by which a database becomes what the server needs: their order, and what they leave in it. */
final class MigrationsTest {

    private static final Pattern NAME = Pattern.compile("V(\\d+)__[a-z_]+\\.sql");

    /** So each new one comes after all others: one between two of them would be rejected where those have been run. */
    @Test
    void versionsCountFromOneWithoutAGap() throws IOException {
        List<String> names = Arrays.stream(
                        new PathMatchingResourcePatternResolver().getResources("classpath*:db/migration/**"))
                .filter(file -> file.isReadable())
                .map(file -> String.valueOf(file.getFilename()))
                .toList();

        assertThat(names).allMatch(name -> NAME.matcher(name).matches());
        assertThat(names.stream()
                        .flatMap(name -> NAME.matcher(name).results())
                        .map(MatchResult::group)
                        .map(name -> Integer.parseInt(name.replaceAll("\\D+", "")))
                        .sorted())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, names.size()).boxed().toList());
    }

    /** Nobody's coupon, post or account is there from the beginning: only what no server works without. */
    @Test
    void emptyDatabaseHasNoSamples() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        var flyway = Flyway.configure().dataSource(url, "", "").load();
        flyway.migrate();
        var jdbc = JdbcClient.create(flyway.getConfiguration().getDataSource());
        Map<String, Integer> rows = new TreeMap<>();
        jdbc.sql("select table_name from information_schema.tables where table_schema = 'PUBLIC'")
                .query(String.class)
                .list()
                .forEach(table -> rows.put(
                        table,
                        jdbc.sql("select count(*) from \"" + table + '"')
                                .query(Integer.class)
                                .single()));
        jdbc.sql("shutdown").update();

        assertThat(rows).hasSizeGreaterThan(10);
        rows.remove("flyway_schema_history");
        rows.values().removeIf(count -> count == 0);
        // The category of posts that have no other, and the row that counts public changes.
        assertThat(rows).isEqualTo(Map.of("TERM", 1, "CONTENT_GENERATION", 1));
    }
}
