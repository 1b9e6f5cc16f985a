package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of uploads.
 *
 * @param maxUploadSize the largest file that is taken
 * @param maxEditedPixels the most pixels that a step of an edit may make
 * @param orphanAge how old a file must be that no item names before it is removed
 */
@ConfigurationProperties("content-api.media")
record MediaProperties(
        @DefaultValue("25MB") DataSize maxUploadSize,
        @DefaultValue("32000000") long maxEditedPixels,
        @DefaultValue("1h") Duration orphanAge) {

    MediaProperties {
        if (maxUploadSize.toBytes() < 1) {
            throw new InvalidSettingException(
                    "content-api.media.max-upload-size",
                    "must be positive, was " + maxUploadSize,
                    "set it to 25MB, for example");
        }
        if (maxEditedPixels < 1) {
            throw new InvalidSettingException(
                    "content-api.media.max-edited-pixels",
                    "must be 1 or more, was " + maxEditedPixels,
                    "set it to 32000000, for example");
        }
        if (orphanAge.isNegative()) {
            throw new InvalidSettingException(
                    "content-api.media.orphan-age",
                    "must not be negative, was " + orphanAge,
                    "set it to 1h, for example");
        }
    }
}
