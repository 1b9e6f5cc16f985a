package io.github.ratelimit.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limiter;
import io.github.ratelimit.remote.Server;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;

/** An application that is a module: it requires the store and the driver, and gets the other modules by them. */
class ModulePathTest {

    private static final String DESCRIPTOR = """
            module example.app {
                requires io.github.ratelimit.postgresql;
                requires org.postgresql.jdbc;
                requires java.naming; // for the data source of the driver
            }
            """;

    private static final String MAIN = """
            package example;

            import io.github.ratelimit.*;
            import io.github.ratelimit.postgresql.PostgresStore;
            import java.time.Duration;
            import org.postgresql.ds.PGSimpleDataSource;

            public final class Main {
                public static void main(String[] args) {
                    PGSimpleDataSource source = new PGSimpleDataSource();
                    source.setUrl(args[0]);
                    try (PostgresStore store = PostgresStore.builder()
                            .dataSource(source)
                            .schema("modules")
                            .createSchema(true)
                            .timeout(Duration.ofSeconds(30))
                            .startTimeout(Duration.ofSeconds(60))
                            .build()) {
                        Limit limit = Limit.of("only", 2, Duration.ofHours(1));
                        Limiter<String> limiter = Limiter.of(LimiterSpec.of("api", limit, Key::of), store);
                        StringBuilder answers = new StringBuilder();
                        for (int i = 0; i < 3; i++) {
                            Decision decision = limiter.tryAcquire("client");
                            answers.append(decision.source()).append(decision.allowed() ? "+ " : "- ");
                        }
                        System.out.println(answers);
                    }
                }
            }
            """;

    private final PostgresServer server = PostgresServer.shared();

    @TempDir
    private Path directory;

    @Test
    void applicationThatIsAModuleDecidesOnARealServer() throws IOException, InterruptedException {
        server.run("DROP SCHEMA IF EXISTS modules CASCADE");
        String modulePath = Stream.of(PostgresStore.class, Server.class, Limiter.class, Driver.class, NullMarked.class)
                .map(ModulePathTest::placeOf)
                .collect(Collectors.joining(File.pathSeparator));
        Path sources = Files.createDirectories(directory.resolve("example"));
        Path descriptor = Files.writeString(directory.resolve("module-info.java"), DESCRIPTOR);
        Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
        String classes = directory.resolve("classes").toString();
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-p", modulePath, "-d", classes, descriptor.toString(), main.toString()))
                .as("javac")
                .isZero();
        String uri = "jdbc:postgresql://localhost:%d/postgres?user=postgres&password=postgres".formatted(server.port());
        assertThat(run("-p", modulePath + File.pathSeparator + classes, "-m", "example.app/example.Main", uri))
                .contains("STORE+ STORE+ STORE- ");
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(java, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                                Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
