package io.github.ratelimit.content.server.http;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The bounds of requests. The defaults suit a heap of 512 MB.
 *
 * @param maxStrangerBody the largest body of a caller without an account
 * @param maxBytesInFlight the most bytes in memory of all request bodies together
 * @param bodyDeadline how long the server waits for a body, and again for each megabyte of it
 * @param maxInFlightPerAddress the most requests that the server works on for one client address; further ones wait
 * @param longestWait how long a request waits for its turn before its answer is 503
 * @param maxText the most characters of one text, 20000 to 1048576
 */
@Validated
@ConfigurationProperties("content-api.requests")
public record RequestBounds(
        @DefaultValue("16KB") DataSize maxStrangerBody,
        @DefaultValue("64MB") DataSize maxBytesInFlight,
        @DefaultValue("30s") @DurationMin(millis = 1) Duration bodyDeadline,
        @DefaultValue("32") @Min(1) int maxInFlightPerAddress,
        @DefaultValue("10s") @DurationMin(millis = 1) Duration longestWait,
        @DefaultValue("524288") @Min(20_000) @Max(MOST_TEXT) int maxText) {
    /** The length of a column. */
    private static final int MOST_TEXT = 1 << 20;

    /** The most characters of all texts that the server makes of a request: twice what a body for arguments holds. */
    public static final int MOST_SHOWN = 2 * MOST_TEXT;

    /** The most characters of the text that the server makes of one, in which some characters are longer. */
    public int maxShownText() {
        return Math.min(2 * maxText, MOST_TEXT);
    }
}
