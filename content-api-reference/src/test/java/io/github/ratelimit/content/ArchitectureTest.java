package io.github.ratelimit.content;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaMember.Predicates.declaredIn;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.ratelimit.content.cms.item.ItemStore;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.server.store.Writes;
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
            .withImportOption(location -> location.contains("/classes/") && !location.contains("/test-classes/"))
            .importPackages("io.github.ratelimit.content");

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
    void packagesHaveNoCycles() {
        slices().matching("io.github.ratelimit.content.(**)")
                .should()
                .beFreeOfCycles()
                .check(classes);
    }

    /** Storage is somebody's own: what is asked of the database is found where the rules of what is asked for are. */
    @Test
    void whoAnswersRequestsSpeaksNoSql() {
        noClasses()
                .that()
                .haveNameMatching(".*(Controller|Routes)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.jdbc..", "java.sql..", "javax.sql..")
                .check(classes);
    }

    /** The one method that changes an item reads it anew and checks the permission, so no write can forget it. */
    @Test
    void itemsAreWrittenInOnePlace() {
        methods()
                .that()
                .areDeclaredIn(ItemStore.class)
                .and()
                .haveNameMatching("create|insert|update|replace|delete|deleteAll")
                .should()
                .onlyBeCalled()
                .byClassesThat()
                .haveSimpleNameStartingWith("Item")
                .andShould()
                .notBePublic()
                .check(classes);
        methods()
                .that()
                .areDeclaredIn(Writes.class)
                .and()
                .haveName("run")
                .should()
                .onlyBeCalled()
                .byMethodsThat(not(declaredIn(ItemWriter.class)).or(nameMatching("change|create|publishDue")))
                .check(classes);
    }

    @Test
    void theTwoSurfacesDoNotKnowEachOther() {
        String widget = "io.github.ratelimit.content.widget..";
        String cms = "io.github.ratelimit.content.cms..";
        noClasses()
                .that()
                .resideInAPackage(widget)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(cms)
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage(cms)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(widget)
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage("io.github.ratelimit.content.server..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(widget, cms)
                .check(classes);
    }
}
