package io.github.ratelimit.content.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A property alone makes each line of the log a piece of JSON, for those who collect logs. */
final class StructuredLogTest {

    @Test
    void linesAreJsonByAProperty(@TempDir Path dir) throws IOException {
        Path log = dir.resolve("server.log");
        var json = new JsonMapper();
        try (ServerProcess server = ServerProcess.startProgram(
                TimeSource.system(),
                dir.resolve("data"),
                ContentApiApplication.class,
                "256m",
                "--logging.file.name=" + log,
                "--logging.level.root=info",
                "--logging.structured.format.file=ecs")) {
            server.end();
        }

        assertThat(Files.readAllLines(log))
                .hasSizeGreaterThan(3)
                .allSatisfy(line ->
                        assertThat(json.readTree(line).propertyNames()).contains("@timestamp", "log", "message"));
    }
}
