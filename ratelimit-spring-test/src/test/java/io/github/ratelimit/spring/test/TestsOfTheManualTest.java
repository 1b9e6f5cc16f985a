package io.github.ratelimit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootVersion;

/** The tests that docs/testing.md shows, compiled and run on the line of Spring Boot that is on the class path. */
class TestsOfTheManualTest {

    private static final Path SOURCES = Path.of("..", "examples", "spring-test", "demo");
    private static final boolean ON_BOOT_3 = SpringBootVersion.getVersion().startsWith("3.");

    /** Where the older line has what the sources import: docs/testing.md shows the same. */
    private static final Map<String, String> ON_3 = Map.of(
            "org.springframework.boot.webmvc.test.autoconfigure.",
            "org.springframework.boot.test.autoconfigure.web.servlet.",
            "org.springframework.boot.webflux.test.autoconfigure.",
            "org.springframework.boot.test.autoconfigure.web.reactive.");

    @TempDir
    private static Path classes;

    private static ClassLoader before;
    private static URLClassLoader loader;

    @BeforeAll
    static void compile() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.put(file.getFileName().toString(), forThisLine(Files.readString(file)));
            }
        }
        if (ON_BOOT_3) {
            sources.remove("SearchServerTest.java"); // its client came with Spring Framework 7
        }
        compile(sources);
        Files.copy(SOURCES.resolve("application.yml"), classes.resolve("application.yml"));
        before = Thread.currentThread().getContextClassLoader();
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(loader);
    }

    @AfterAll
    static void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }

    private static String forThisLine(String source) {
        String adapted = source;
        if (ON_BOOT_3) {
            for (Map.Entry<String, String> moved : ON_3.entrySet()) {
                adapted = adapted.replace(moved.getKey(), moved.getValue());
            }
        }
        return adapted;
    }

    private static void compile(Map<String, String> sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            files.add(Files.writeString(classes.resolve(source.getKey()), source.getValue()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-parameters",
                    "-proc:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"SearchMvcTest, 2", "SearchFluxTest, 1", "SearchApplicationTest, 1", "SearchControllerTest, 1"})
    void testsOfTheManualPass(String name, long tests) throws Exception {
        passes(name, tests);
    }

    @Test
    void testWithTheNewerClientPassesOnTheNewerLine() throws Exception {
        if (!ON_BOOT_3) {
            passes("SearchServerTest", 1);
        }
    }

    private static void passes(String name, long tests) throws Exception {
        TestRun run = TestRun.of(loader.loadClass("demo." + name));
        assertThat(run.failures()).isEmpty();
        assertThat(run.succeeded()).isEqualTo(tests);
    }
}
