package io.github.ratelimit.content.server.settings;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Makes the data directory and the file of the embedded database so that no other account of the machine reads them.
 *
 * <p>What is there already stays as somebody has set it. Comes before anything connects or writes, as does {@link EmbeddedDatabaseRule}.
 */
@Component
final class PrivateFiles implements BeanFactoryPostProcessor, EnvironmentAware {
    private static final String PROPERTY = "content-api.data-dir";
    private static final Pattern EMBEDDED = Pattern.compile("(?i)jdbc:h2:file:(?!~)([^;]*).*");

    private String directory = "";
    private String url = "";

    @Override
    public void setEnvironment(Environment environment) {
        directory = environment.getProperty(PROPERTY, "./data");
        url = environment.getProperty("spring.datasource.url", "");
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        EmbeddedDatabaseRule.check(url);
        try {
            make(Path.of(directory), url);
        } catch (IOException e) {
            throw new InvalidSettingException(
                    PROPERTY,
                    "must be a directory that the server may write to, was " + directory,
                    "Make it, or let the server's account write to the one above it.");
        }
    }

    static void make(Path directory, String url) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            Path parent = absolute.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectories(absolute, permissions(absolute, "rwx------"));
        }
        Matcher embedded = EMBEDDED.matcher(url);
        if (embedded.matches()) {
            Path file = Path.of(embedded.group(1) + ".mv.db");
            if (Files.notExists(file) && file.toAbsolutePath().normalize().startsWith(absolute)) {
                makeFile(file);
            }
        }
    }

    /** The database takes an empty file for a new one, and keeps its permissions. */
    private static void makeFile(Path file) throws IOException {
        try {
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createFile(file, permissions(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            // Another server that starts now was faster.
            return;
        }
    }

    /** None where files know no owner. */
    static FileAttribute<?>[] permissions(Path of, String permissions) {
        return of.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
