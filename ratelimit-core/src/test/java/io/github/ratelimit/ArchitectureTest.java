package io.github.ratelimit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The rules by which the modules hold together, for this one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // all rules look at the classes that are read once
class ArchitectureTest {

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.github.ratelimit");

    @Test
    void coreKnowsNeitherServletNorSpringNorRedis() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "javax..", "org.springframework..", "io.lettuce..", "redis..")
                .check(classes);
    }

    @Test
    void coreNeedsNoCacheAndMicrometerStaysInItsPackage() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.benmanes..")
                .check(classes);
        noClasses()
                .that()
                .resideOutsideOfPackage("..micrometer")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(classes);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.github.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void onlyTheDefaultClockReadsTheMachinesClocks() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SystemTime.class.getName())
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(classes);
    }

    /** {@code %d} writes the digits of the default locale; {@code %s} does not. */
    @Test
    void textForMachinesIsMadeWithoutTheDefaultLocale() throws IOException {
        try (Stream<Path> files = Files.walk(root(), 20)) {
            List<String> json = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("src/main/java"))
                    .flatMap(file -> lines(file).filter(line -> line.matches(".*\\\\\":?[^']*%d.*")))
                    .toList();
            assertThat(json).isEmpty();
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("ratelimit-core")) ? here : here.resolve("..");
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is promised is a list: a public type joins it, or lies below a package {@code internal}. */
    @Test
    void publicTypesAreThePromisedOnes() throws IOException {
        String page = Files.readString(root().resolve("docs/compatibility.md"));
        Map<String, Set<String>> promised = new TreeMap<>();
        Pattern.compile("\\| `(io\\.github\\.ratelimit[a-z.]*)` \\| (.*) \\|")
                .matcher(page)
                .results()
                .forEach(row -> promised.put(row.group(1), names(row.group(2))));
        Map<String, Set<String>> there = new TreeMap<>();
        for (Path file : publishedSources()) {
            String text = Files.readString(file);
            Matcher type = PUBLIC.matcher(text);
            if (type.find()) {
                there.computeIfAbsent(type.group("package"), each -> new TreeSet<>())
                        .add(type.group("name"));
            }
        }
        assertThat(there).isEqualTo(promised);
        assertThat(there.entrySet().stream()
                        .filter(each -> !each.getKey().matches(".*\\.(test|contract)"))
                        .mapToInt(each -> each.getValue().size())
                        .sum())
                .isLessThanOrEqualTo(95);
    }

    private static final Pattern PUBLIC = Pattern.compile(
            "(?ms)^package (?<package>[\\w.]+);.*^public (final |abstract |sealed )*(class|interface|record|enum|@interface) (?<name>\\w+)");

    private static List<Path> publishedSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root(), "ratelimit-*")) {
            for (Path module : modules) {
                Path folder = module.resolve("src/main/java");
                if (Files.isDirectory(folder) && !module.endsWith("ratelimit-benchmarks")) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        files.filter(file -> file.toString().endsWith(".java")
                                        && !file.toString().contains("/internal/"))
                                .forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }

    private static Set<String> names(String cell) {
        return Pattern.compile("`(\\w+)`")
                .matcher(cell)
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void httpLayerDependsOnTheCoreAndNotTheOtherWayRound() {
        noClasses()
                .that()
                .resideInAPackage("io.github.ratelimit")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..http..", "..micrometer..")
                .check(classes);
    }
}
