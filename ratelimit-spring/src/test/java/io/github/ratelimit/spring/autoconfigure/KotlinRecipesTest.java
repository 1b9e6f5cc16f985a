package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Kotlin of the manual, compiled and run. In the long form of the build alone: the compiler is a download of 60 MB, and takes longer than all
 * other applications of these tests.
 */
@EnabledIfSystemProperty(named = "kotlin", matches = ".+")
class KotlinRecipesTest {

    private static final Path SOURCE = Path.of("..", "examples", "spring", "demo", "Searches.kt");

    @TempDir
    private Path classes;

    @Test
    void recipesOfKotlinCompileWithoutAWarningAndLimit() throws Exception {
        List<Path> jars = jars();
        compile(jars, SOURCE);
        List<Path> entries = new ArrayList<>(List.of(classes));
        entries.addAll(jars);
        try (IsolatedApplication application = new IsolatedApplication(
                        "Searches", IsolatedApplication.SECURITY_AND_REDIS, entries.toArray(Path[]::new));
                AutoCloseable context = application.run(
                        "--spring.main.web-application-type=servlet",
                        "--ratelimit.limiters.search.permits=1",
                        "--ratelimit.limiters.search.window=1h",
                        "--management.endpoints.web.exposure.include=ratelimits")) {
            limits(URI.create("http://127.0.0.1:" + IsolatedApplication.property(context, "local.server.port")));
        }
    }

    /** The store answers only when another coroutine of the one thread has run. */
    @Test
    void suspendFunctionDoesNotBlockItsThread() throws Exception {
        List<Path> jars = jars();
        compile(jars, Path.of("src", "test", "kotlin", "Suspending.kt"));
        List<Path> entries = new ArrayList<>(List.of(classes));
        entries.addAll(jars);
        try (IsolatedApplication application = new IsolatedApplication(
                        "Suspending", IsolatedApplication.SECURITY_AND_REDIS, entries.toArray(Path[]::new));
                AutoCloseable context = application.run("--spring.main.web-application-type=none")) {
            Object turns = IsolatedApplication.bean(context, "turns");
            assertThat(turns.getClass().getMethod("take").invoke(turns))
                    .isEqualTo(List.of("other", "sent", "rejected: true"));
        }
    }

    private static void limits(URI base) throws IOException {
        assertThat(RawHttp.get(base, "/search?q=tea").body()).contains("found tea");
        assertThat(RawHttp.get(base, "/search?q=tea").status()).isEqualTo(429);
        assertThat(mail(base, "ann")).isEqualTo(200);
        assertThat(mail(base, "ann")).isEqualTo(200);
        assertThat(mail(base, "ann")).isEqualTo(429);
        assertThat(mail(base, "bob")).isEqualTo(200);
        assertThat(RawHttp.get(base, "/mail?sender=ann").body()).contains("true");
        assertThat(RawHttp.get(base, "/mail?sender=ann").body()).contains("false");
        assertThat(RawHttp.get(base, "/actuator/ratelimits").body())
                .as("what the compiler adds to a suspend function is no part of its limiter's name")
                .contains("\"Mails.send-String\"");
    }

    private static int mail(URI base, String to) throws IOException {
        return RawHttp.send(base, "POST /mails?to=" + to + " HTTP/1.1", "Content-Length: 0")
                .status();
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("kotlin")))) {
            return jars.toList();
        }
    }

    /** By the compiler's command line, in a class loader of its own: nothing of it is on the application's class path. */
    private void compile(List<Path> jars, Path source) throws Exception {
        List<URL> compiler = new ArrayList<>();
        for (Path jar : jars) {
            compiler.add(jar.toUri().toURL());
        }
        String path = Stream.concat(jars.stream().map(Path::toString), Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
        String[] arguments = {
            "-no-stdlib",
            "-no-reflect",
            "-Werror",
            "-java-parameters",
            "-jvm-target",
            "17",
            "-classpath",
            path,
            "-d",
            classes.toString(),
            source.toString()
        };
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(compiler.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
            Object status = type.getMethod("exec", PrintStream.class, String[].class)
                    .invoke(
                            type.getConstructor().newInstance(),
                            new PrintStream(said, true, StandardCharsets.UTF_8),
                            arguments);
            assertThat(status).as(said.toString(StandardCharsets.UTF_8)).hasToString("OK");
        }
    }
}
