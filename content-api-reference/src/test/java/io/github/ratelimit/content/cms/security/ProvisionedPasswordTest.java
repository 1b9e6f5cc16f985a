package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An account keeps the password that it was made with, and the log says so to whoever sets another one. */
@ExtendWith(OutputCaptureExtension.class)
class ProvisionedPasswordTest {
    private static final String WARNING = "content-api.provision.users[0].password is not the password of the account";

    @TempDir
    private Path folder;

    @Test
    void settingThatChangesNoPasswordIsToldAtTheStart(CapturedOutput output) {
        start("first-secret");
        start("first-secret");
        assertThat(output).doesNotContain(WARNING);

        start("second-secret");

        assertThat(output).containsOnlyOnce(WARNING).doesNotContain("first-secret", "second-secret");
        assertThat(output.toString().lines().filter(line -> line.contains(WARNING)))
                .allMatch(
                        line -> line.contains(" WARN ") && line.contains("'admin'") && line.contains("password_hash"));
    }

    private void start(String password) {
        ReferenceServer.start(
                        Database.H2,
                        "--spring.datasource.url=jdbc:h2:file:" + folder.resolve("content") + ";WRITE_DELAY=0",
                        "--content-api.data-dir=" + folder,
                        "--content-api.provision.users[0].login=admin",
                        "--content-api.provision.users[0].password=" + password)
                .close();
    }
}
