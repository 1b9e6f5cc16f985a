package io.github.ratelimit.content.media;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of uploads.
 *
 * @param maxUploadSize the largest file that is taken
 * @param orphanAge how old a file must be that no item names before it is removed
 */
@ConfigurationProperties("content-api.media")
record MediaProperties(
        @DefaultValue("25MB") DataSize maxUploadSize,
        @DefaultValue("1h") Duration orphanAge) {

    MediaProperties {
        if (maxUploadSize.toBytes() < 1) {
            throw new IllegalArgumentException("content-api.media.max-upload-size: must be positive");
        }
        if (orphanAge.isNegative()) {
            throw new IllegalArgumentException("content-api.media.orphan-age: must not be negative");
        }
    }
}
