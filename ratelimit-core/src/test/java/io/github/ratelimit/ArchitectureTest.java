package io.github.ratelimit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.regex.Pattern;
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

    @Test
    void decisionsGiveAReasonForEveryPublicType() throws IOException {
        String page = Files.readString(root().resolve("docs/design/decisions.md"));
        String table = page.substring(page.indexOf("| Type |"), page.indexOf("`ArchitectureTest`"));
        List<String> named = Pattern.compile("`([A-Z]\\w+)`")
                .matcher(table)
                .results()
                .map(name -> name.group(1))
                .toList();
        assertThat(classes.stream()
                        .filter(each ->
                                each.isTopLevelClass() && each.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrderElementsOf(named);
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
