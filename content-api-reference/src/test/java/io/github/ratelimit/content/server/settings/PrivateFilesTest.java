package io.github.ratelimit.content.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(
        value = OS.WINDOWS,
        disabledReason = "POSIX permissions are not known there, and PrivateFiles leaves them alone")
class PrivateFilesTest {
    @TempDir
    Path folder;

    @Test
    void nobodyElseReadsWhatTheServerMakes() throws IOException, SQLException {
        Path data = folder.resolve("a/data");
        String url = "jdbc:h2:file:" + data + "/content;WRITE_DELAY=0";
        PrivateFiles.make(data, url);
        try (var connection = DriverManager.getConnection(url, "sa", "");
                var statement = connection.createStatement()) {
            statement.execute("create table t (a int)");
        }

        assertThat(permissions(data)).isEqualTo("rwx------");
        assertThat(permissions(data.resolve("content.mv.db"))).isEqualTo("rw-------");
    }

    @Test
    void whatIsThereStaysAsItWasSet() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        PrivateFiles.make(folder, "jdbc:postgresql://localhost/x");
        PrivateFiles.make(folder, "jdbc:h2:mem:x");

        assertThat(permissions(folder)).isEqualTo("rwxr-x---");
        assertThat(folder).isEmptyDirectory();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
