package io.github.ratelimit.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundleTest {

    private static final String BASE = "io/github/ratelimit/ratelimit-core/1.0.0/ratelimit-core-1.0.0";
    private static final String POM = """
            <project>
              <groupId>io.github.ratelimit</groupId>
              <artifactId>ratelimit-core</artifactId>
              <version>1.0.0</version>
              <name>n</name>
              <description>d</description>
              <url>u</url>
              <licenses><license>l</license></licenses>
              <developers><developer>d</developer></developers>
              <scm><connection>c</connection><developerConnection>c</developerConnection></scm>
            </project>
            """;

    private static Map<String, byte[]> good(String pom) {
        Map<String, byte[]> files = new TreeMap<>();
        files.put(BASE + ".pom", pom.getBytes(UTF_8));
        for (String jar : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
            files.put(BASE + jar, jar.getBytes(UTF_8));
        }
        for (String file : List.copyOf(files.keySet())) {
            files.put(file + ".asc", "-----BEGIN PGP SIGNATURE-----".getBytes(UTF_8));
            files.put(file + ".md5", Bundle.digest("MD5", files.get(file)).getBytes(UTF_8));
            files.put(file + ".sha1", Bundle.digest("SHA-1", files.get(file)).getBytes(UTF_8));
        }
        return files;
    }

    @Test
    void goodBundleHasNoProblems() {
        assertThat(new Bundle(good(POM)).problems()).isEmpty();
        assertThat(new Bundle(Map.of()).problems()).containsExactly("there is no POM");
    }

    @ParameterizedTest
    @CsvSource({
        "<name>n</name>, '', there is no <name>",
        "<description>d</description>, '', there is no <description>",
        "<url>u</url>, '', there is no <url>",
        "<license>l</license>, '', there is no <license>",
        "<developer>d</developer>, '', there is no <developer>",
        "<connection>c</connection>, '', there is no <connection>",
        "<groupId>io.github, <groupId>io.gitlab, there is no <groupId>io.github.ratelimit</groupId>",
        "ratelimit-core, ratelimit-cord, there is no <artifactId>ratelimit-core</artifactId>",
        "1.0.0, 1.0.1, there is no <version>1.0.0</version>",
        "1.0.0, 1.0.0-SNAPSHOT, a release has no SNAPSHOT",
        "<name>, <parent/><parent><name>, 'it has a parent, so it is not flattened'",
    })
    void pomThatThePortalRejects(String from, String to, String problem) {
        assertThat(new Bundle(good(POM.replace(from, to))).problems())
                .anySatisfy(told -> assertThat(told).endsWith(problem));
    }

    @ParameterizedTest
    @CsvSource({
        ".jar, .jar: missing",
        "-sources.jar, -sources.jar: missing",
        "-javadoc.jar, -javadoc.jar: missing",
        ".jar.asc, .jar: it is not signed",
        ".pom.md5, .pom: its md5 is missing or wrong",
        ".pom.sha1, .pom: its sha1 is missing or wrong",
    })
    void fileThatIsMissing(String file, String problem) {
        Map<String, byte[]> files = good(POM);
        files.remove(BASE + file);
        assertThat(new Bundle(files).problems()).contains(BASE + problem);
    }

    @Test
    void fileThatIsAnother() {
        Map<String, byte[]> files = good(POM);
        files.put(BASE + ".jar", "other".getBytes(UTF_8));
        files.put(BASE + ".jar.asc", "other".getBytes(UTF_8));
        files.put(BASE + "-tests.jar", "tests".getBytes(UTF_8));
        assertThat(new Bundle(files).problems())
                .contains(
                        BASE + ".jar: it is not signed",
                        BASE + ".jar: its md5 is missing or wrong",
                        BASE + ".jar: its sha1 is missing or wrong",
                        BASE + "-tests.jar: tests are not published");
    }

    /** After a rehearsal: {@code -Dbundle=} and the path of the bundle. */
    @Test
    @EnabledIfSystemProperty(named = "bundle", matches = ".+")
    void bundleOfTheReleaseIsGood() throws Exception {
        try (InputStream zip = Files.newInputStream(Path.of(System.getProperty("bundle")))) {
            Bundle bundle = Bundle.read(zip);
            assertThat(bundle.problems()).isEmpty();
            assertThat(bundle.artifacts())
                    .contains(
                            "ratelimit-bom.pom",
                            "ratelimit-core.jar",
                            "ratelimit-spring.jar",
                            "ratelimit-spring-boot-starter.jar");
        }
    }
}
