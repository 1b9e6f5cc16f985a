package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What a workspace may keep, and bring at a time.
 *
 * @param maxDocuments the most documents of a workspace
 * @param maxSize the most characters of all its documents together, each counted as a byte
 * @param bodiesAtATime how many bodies above a megabyte are read at a time, of all workspaces together; one of each
 */
@ConfigurationProperties("content-api.sync")
record SyncProperties(
        @DefaultValue("50000") int maxDocuments,
        @DefaultValue("128MB") DataSize maxSize,
        @DefaultValue("3") int bodiesAtATime) {

    SyncProperties {
        if (maxDocuments < 1) {
            throw new InvalidSettingException(
                    "content-api.sync.max-documents",
                    "must be 1 or more, was " + maxDocuments,
                    "set it to 50000, for example");
        }
        if (bodiesAtATime < 1) {
            throw new InvalidSettingException(
                    "content-api.sync.bodies-at-a-time",
                    "must be 1 or more, was " + bodiesAtATime,
                    "set it to 3, for example");
        }
        if (maxSize.toBytes() < 1) {
            throw new InvalidSettingException(
                    "content-api.sync.max-size", "must be positive, was " + maxSize, "set it to 128MB, for example");
        }
    }
}
