package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limiter;
import io.github.ratelimit.remote.Server;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module and requires no other than ours: core and redis bring all that they need. */
class ModulePathTest {

    private static final String DESCRIPTOR = """
            module example.app {
                requires io.github.ratelimit.redis;
                requires io.netty.resolver.dns; // as Lettuce 7 does
            }
            """;

    private static final String MAIN = """
            package example;

            import io.github.ratelimit.*;
            import io.github.ratelimit.redis.RedisStore;
            import java.time.Duration;

            public final class Main {
                public static void main(String[] args) {
                    try (RedisStore store = RedisStore.builder()
                            .uri(args[0])
                            .timeout(Duration.ofSeconds(10))
                            .build()) {
                        Limit limit = Limit.of("only", 2, Duration.ofMinutes(1));
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

    @TempDir
    private Path directory;

    @Test
    void applicationThatRequiresTheModuleAloneDecidesOnARealServer() throws Exception {
        String modulePath = modulePath();
        Path app = compile(modulePath);
        try (RedisProcess redis = RedisProcess.start()) {
            assertThat(run("-p", modulePath + File.pathSeparator + app, "-m", "example.app/example.Main", redis.uri()))
                    .contains("STORE+ STORE+ STORE- ");
        }
    }

    /** What is not on the module path's graph of roots is not there: nothing may work only because somebody else asked for it. */
    @Test
    void modulesAreResolvedWithoutAnythingAdded() throws Exception {
        String modules = run("-p", modulePath(), "--describe-module", "io.github.ratelimit.redis");
        assertThat(modules)
                .contains("requires io.github.ratelimit.remote transitive", "exports io.github.ratelimit.redis");
    }

    private Path compile(String modulePath) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources/example"));
        Path descriptor = Files.writeString(directory.resolve("sources/module-info.java"), DESCRIPTOR);
        Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
        Path classes = directory.resolve("classes");
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-p",
                        modulePath,
                        "-d",
                        classes.toString(),
                        descriptor.toString(),
                        main.toString());
        assertThat(result).as("javac").isZero();
        return classes;
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1", // it ends soon
                "-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    /** Ours, and of the class path what an application gets with them: no library of the tests. */
    private static String modulePath() {
        List<String> ours = List.of(classesOf(RedisStore.class), classesOf(Server.class), classesOf(Limiter.class));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> libraries = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> Path.of(entry)
                        .getFileName()
                        .toString()
                        .matches("(lettuce|netty|reactor|reactive|redis-authx|slf4j|jspecify).*"))
                .toList();
        return java.util.stream.Stream.concat(ours.stream(), libraries.stream())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String classesOf(Class<?> type) {
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
