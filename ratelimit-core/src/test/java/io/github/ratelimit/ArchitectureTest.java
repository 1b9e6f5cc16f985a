package io.github.ratelimit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
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
