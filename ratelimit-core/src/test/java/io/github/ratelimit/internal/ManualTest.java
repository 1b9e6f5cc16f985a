package io.github.ratelimit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ManualTest {

    private static final String MANUAL = "https://github.com/ratelimit/ratelimit/blob/";

    @Test
    void pageIsThatOfTheVersion() throws Exception {
        assertThat(Manual.page("docs/redis.md", "1.2.3")).isEqualTo(MANUAL + "v1.2.3/docs/redis.md");
        assertThat(Manual.page("docs/redis.md", "1.3.0-SNAPSHOT")).isEqualTo(MANUAL + "main/docs/redis.md");
        assertThat(Manual.page("docs/redis.md", null)).isEqualTo(MANUAL + "main/docs/redis.md");
        assertThat(Manual.page("docs/redis.md")).startsWith(MANUAL).endsWith("/docs/redis.md");
        assertThat(Files.readString(Path.of("..", "pom.xml")))
                .contains("<repository.url>" + MANUAL.replace("/blob/", "") + "</repository.url>");
    }
}
