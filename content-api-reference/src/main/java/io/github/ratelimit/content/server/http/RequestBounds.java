package io.github.ratelimit.content.server.http;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.server.settings.SettingRange;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The bounds of requests. The defaults suit a heap of 512 MB.
 *
 * @param maxStrangerBody the largest body of a caller without an account
 * @param maxBytesInFlight the most bytes in memory of all request bodies together
 * @param bodyDeadline how long the server waits for a body, and again for each megabyte of it
 * @param maxInFlightPerAddress the most requests that the server works on for one client address; further ones wait
 * @param longestWait how long a request waits for its turn before its answer is 503
 * @param maxText the most characters of all texts of a request together, 20000 to 1048576
 */
@ConfigurationProperties("content-api.requests")
public record RequestBounds(
        @DefaultValue("16KB") DataSize maxStrangerBody,
        @DefaultValue("64MB") DataSize maxBytesInFlight,
        @DefaultValue("30s") Duration bodyDeadline,
        @DefaultValue("32") int maxInFlightPerAddress,
        @DefaultValue("10s") Duration longestWait,
        @DefaultValue("163840") int maxText) {
    private static final String PREFIX = "content-api.requests.";
    private static final int LEAST_TEXT = 20_000;
    /** The length of a column. */
    private static final int MOST_TEXT = 1 << 20;

    /** Checks the values. */
    public RequestBounds {
        SettingRange.requireSize(PREFIX + "max-stranger-body", maxStrangerBody, "1B", "16KB");
        SettingRange.requireSize(PREFIX + "max-bytes-in-flight", maxBytesInFlight, "1B", "64MB");
        SettingRange.requireTime(PREFIX + "body-deadline", bodyDeadline, "1ms", "30s");
        SettingRange.requireTime(PREFIX + "longest-wait", longestWait, "1ms", "10s");
        InvalidSettingException.require(
                maxInFlightPerAddress > 0,
                PREFIX + "max-in-flight-per-address",
                "must be positive",
                maxInFlightPerAddress,
                "leave it out for the default");
        InvalidSettingException.require(
                maxText >= LEAST_TEXT && maxText <= MOST_TEXT,
                PREFIX + "max-text",
                "must be 20000 to 1048576",
                maxText,
                "leave it out for the default");
    }

    /** The most characters of the texts that the server makes of such a request, in which some characters are longer. */
    public int maxShownText() {
        return Math.min(2 * maxText, MOST_TEXT);
    }
}
