package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.server.settings.ServerKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Ties the data directory to its database by an id that both hold. A start with another pair is refused, because its uploads would look as if they
 * belonged to no item. Used once, before the server serves.
 */
@Component
class SiteIdentity implements InitializingBean {

    private static final Logger log = LoggerFactory.getLogger(SiteIdentity.class);

    private static final String FILE = "site.id";
    private static final String SITE = "site";
    private static final String KEY = "key";

    private final JdbcClient jdbc;
    private final UploadStore uploads;
    private final ServerKey key;
    private final Path directory;

    SiteIdentity(JdbcClient jdbc, UploadStore uploads, ServerKey key, CmsSettings settings) {
        this.jdbc = jdbc;
        this.uploads = uploads;
        this.key = key;
        this.directory = settings.dataDir();
    }

    @Override
    public void afterPropertiesSet() {
        try {
            Optional<String> ofDirectory = read();
            if (ofDirectory.isPresent() && stored(SITE).isEmpty() && uploads.hasUploads()) {
                throw refusal("has the uploads of another database, was " + directory);
            }
            String site =
                    stored(SITE, ofDirectory.orElseGet(() -> UUID.randomUUID().toString()));
            if (ofDirectory.isEmpty()) {
                ofDirectory = Optional.of(write(site));
            }
            if (!ofDirectory.get().equals(site)) {
                throw refusal("belongs to another database, was " + directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the site's id cannot be kept in " + directory.resolve(FILE), e);
        }
        String mark = key.sign("identity", SITE);
        if (!stored(KEY, mark).equals(mark)) {
            log.warn(
                    "this server has another key than the database was filled with: all application passwords and sessions of it are wrong; start"
                            + " with its server.key, or set content-api.server-key");
        }
    }

    private static InvalidSettingException refusal(String rule) {
        return new InvalidSettingException(
                "content-api.data-dir",
                rule,
                "Start with the database that belongs to it, or with an empty data directory. To join the two for good, delete site.id from it.");
    }

    private Optional<String> read() throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    }

    /** Returns the id that is there afterwards: another server that starts now may have been faster. */
    private String write(String id) throws IOException {
        try {
            Files.writeString(directory.resolve(FILE), id + "\n", StandardOpenOption.CREATE_NEW);
            return id;
        } catch (FileAlreadyExistsException e) {
            return read().orElse(id);
        }
    }

    private Optional<String> stored(String name) {
        return jdbc.sql("select mark from site_identity where name = :name")
                .param("name", name)
                .query(String.class)
                .optional();
    }

    /** Returns the stored value, which is the given one where there was none. */
    private String stored(String name, String value) {
        Optional<String> there = stored(name);
        if (there.isEmpty()) {
            try {
                jdbc.sql("insert into site_identity (name, mark) values (:name, :mark)")
                        .param("name", name)
                        .param("mark", value)
                        .update();
            } catch (DuplicateKeyException e) {
                log.debug("another server that starts now was faster", e);
            }
        }
        return stored(name).orElse(value);
    }
}
