package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** WebFlux's threads are never blocked, whether Redis answers, falls silent or is away. */
@EnabledIfSystemProperty(named = "full", matches = "true")
class NonBlockingTest {

    @TempDir
    private Path directory;

    @Test
    void noThreadThatMustNotBlockIsBlockedWhateverRedisDoes() throws Exception {
        Path output = directory.resolve("output");
        Process probe = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "-XX:+AllowRedefinitionToAddDeleteMethods", // what the watch does since JDK 13
                        "-cp",
                        System.getProperty("java.class.path"),
                        BlockingProbe.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(probe.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            probe.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(said.lines().filter(line -> line.matches(".*(watched|blocked) \\d+")))
                .as(said)
                .containsExactly(
                        "watched 1",
                        "answering: 200 200 200 429 429 400 429 blocked 0",
                        "falling silent: 200 200 200 200 429 400 429 blocked 0",
                        "silent: 503 503 503 503 503 400 503 blocked 0",
                        "away: 503 503 503 503 503 400 503 blocked 0",
                        "away, another one stands in: 200 200 200 429 429 400 429 blocked 0");
    }
}
