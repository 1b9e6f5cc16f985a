package io.github.ratelimit.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.ratelimit.spring.autoconfigure.Floor;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The rules by which the modules hold together, for this one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // all rules look at the classes that are read once
@Floor
class ArchitectureTest {

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(location -> location.contains("/classes/") && !location.contains("/test-classes/"))
            .importPackages("io.github.ratelimit.spring");

    @Test
    void nobodyReadsTheMachinesClocks() {
        noClasses()
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

    @Test
    void isForEveryBootLine() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.fasterxml.jackson..", "tools.jackson..", "org.springframework.boot.web.servlet.error..")
                .check(classes);
    }

    /** So an application on WebFlux can leave the artifact out. */
    @Test
    void webFluxNeedsNoServletAdapter() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..web.servlet..")
                .and()
                .haveNameNotMatching(".*\\.RateLimit(WebMvcAutoConfiguration|Interceptor|ExceptionResolver).*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.ratelimit.servlet..")
                .check(classes);
    }

    /** Of those behind the root: its types are made with what is internal, and internal code uses them. */
    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.github.ratelimit.spring.(**)")
                .should()
                .beFreeOfCycles()
                .check(classes);
    }
}
