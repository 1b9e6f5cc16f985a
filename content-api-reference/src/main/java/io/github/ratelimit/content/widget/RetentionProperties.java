package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long what visitors left is kept.
 *
 * @param conversations counted from when something last happened in one
 * @param silent the same for those in which nothing was said, left or rated
 */
@ConfigurationProperties("content-api.widget.retention")
record RetentionProperties(
        @DefaultValue("180d") Duration conversations,
        @DefaultValue("2d") Duration silent) {

    RetentionProperties {
        check("conversations", conversations, "180d");
        check("silent", silent, "2d");
    }

    private static void check(String name, Duration value, String example) {
        // A token lasts for a day and can be renewed for an hour: its conversation must still be there.
        if (value.compareTo(Duration.ofHours(1)) < 0) {
            throw new InvalidSettingException(
                    "content-api.widget.retention." + name,
                    "must be an hour or more, was " + value,
                    "set it to " + example + ", for example");
        }
    }
}
