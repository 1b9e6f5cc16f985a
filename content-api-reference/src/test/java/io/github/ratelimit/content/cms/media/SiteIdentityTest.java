package io.github.ratelimit.content.cms.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A data directory and its database belong together: each start looks, before anything sweeps. */
@ExtendWith(OutputCaptureExtension.class)
class SiteIdentityTest {

    @TempDir
    private Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private ConfigurableApplicationContext start(String database, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--content-api.data-dir=" + data(),
                "--content-api.demo=false",
                "--spring.main.lazy-initialization=false",
                "--logging.level.root=warn",
                "--spring.datasource.url=jdbc:h2:file:" + folder.resolve(database) + ";WRITE_DELAY=0"));
        arguments.addAll(List.of(more));
        return SpringApplication.run(ContentApiApplication.class, arguments.toArray(String[]::new));
    }

    private void startAndStop(String database, String... more) {
        start(database, more).close();
    }

    private void upload() throws IOException {
        Path file = data().resolve("uploads/2024/01/picture.png");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "a picture");
    }

    @Test
    void anEmptyDatabaseOnTheUploadsOfAnotherIsRefusedAndNothingIsLost() throws IOException {
        startAndStop("one");
        upload();

        assertRefused(() -> startAndStop("two"), "has the uploads of another database");

        assertThat(data().resolve("uploads/2024/01/picture.png")).exists();
        startAndStop("one");
    }

    @Test
    void anotherSitesDatabaseIsRefused() throws IOException {
        startAndStop("one");
        Files.move(data(), folder.resolve("first"));
        startAndStop("two");
        Files.move(data(), folder.resolve("second"));
        Files.move(folder.resolve("first"), data());

        assertRefused(() -> startAndStop("two"), "belongs to another database");

        Files.delete(data().resolve("site.id"));
        startAndStop("two");
    }

    @Test
    void anEmptyDirectoryJoinsItsDatabase() throws IOException {
        startAndStop("one");
        Files.move(data(), folder.resolve("lost"));
        startAndStop("one");
        assertThat(data().resolve("site.id")).hasSameTextualContentAs(folder.resolve("lost/site.id"));
    }

    @Test
    void anotherKeyThanTheDatabaseWasFilledWithIsSaidAtTheStart(CapturedOutput log) throws IOException {
        startAndStop("one");
        assertThat(log).doesNotContain("another key");
        Files.delete(data().resolve("server.key"));
        startAndStop("one");
        assertThat(log).contains("this server has another key than the database was filled with");
    }

    private static void assertRefused(ThrowingCallable start, String rule) {
        assertThatCode(start)
                .hasRootCauseInstanceOf(InvalidSettingException.class)
                .rootCause()
                .hasMessageContaining(rule)
                .satisfies(cause -> assertThat(((InvalidSettingException) cause).remedy())
                        .contains("the database that belongs to it"));
    }
}
