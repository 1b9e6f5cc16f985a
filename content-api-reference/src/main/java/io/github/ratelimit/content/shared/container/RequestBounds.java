package io.github.ratelimit.content.shared.container;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import io.github.ratelimit.content.shared.settings.SettingRange;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What one request, and all of them together, may take of the server. The defaults suit a heap of 512 MB. Numbers are positive, times 1 ms to a hundred
 * years, sizes 1 byte to 1024 TB.
 *
 * @param maxStrangerBody the largest body of arguments that is read from a caller without an account; beyond it, rights are
 *     asked for before the body is
 * @param maxJsonTokens the most tokens (names, values, brackets) in a body of arguments
 * @param maxText the most characters that the texts of a body of arguments have together, and so the longest text of an item that is
 *     written, 20000 to 1048576; longer ones that are stored stay. What is made of a text may be twice as long
 * @param maxBytesInFlight the most bytes of bodies, and of what JSON and forms are read into, that are held at a time, of all requests together
 * @param bodyDeadline how long a worker waits for the body of a request, as a whole, and again for each megabyte of it that goes
 *     to a file
 * @param answerDeadline how long a worker waits for a client to read an answer, as a whole
 * @param maxWaiting the most workers that wait for slow clients at a time; no more than two fifths of all workers wait, whatever is said here
 * @param maxQueued the most requests that wait for each other for more than a quarter of a second, or did: for their turn to write, or for room for a large
 *     body or picture; no more than two fifths of all workers, as with maxWaiting, so that a fifth is left for requests that wait for nobody
 * @param maxAnswer the most characters that the items of one answer have together
 * @param maxAnswersInFlight the most bytes that such answers, and pages of documents, take at a time, three for each character
 * @param workDeadline how long one request keeps its worker, without what the worker waits for the client; looked at before each statement and before
 *     each wait for others
 * @param maxStatements the most statements that one request has the database run; an export of a workspace has these, and workDeadline, for each of its lines
 * @param maxConnectionsPerAddress the most connections that one address holds at a time, or one IPv6 network of
 *     ratelimit.http.ipv6-prefix bits; trusted proxies hold any number
 */
@ConfigurationProperties("content-api.requests")
public record RequestBounds(
        @DefaultValue("16KB") DataSize maxStrangerBody,
        @DefaultValue("50000") int maxJsonTokens,
        @DefaultValue("163840") int maxText,
        @DefaultValue("32MB") DataSize maxBytesInFlight,
        @DefaultValue("30s") Duration bodyDeadline,
        @DefaultValue("60s") Duration answerDeadline,
        @DefaultValue("100") int maxWaiting,
        @DefaultValue("96") int maxQueued,
        @DefaultValue("8MB") DataSize maxAnswer,
        @DefaultValue("64MB") DataSize maxAnswersInFlight,
        @DefaultValue("60s") Duration workDeadline,
        @DefaultValue("100000") int maxStatements,
        @DefaultValue("512") int maxConnectionsPerAddress) {
    private static final String PREFIX = "content-api.requests.";
    /** What a text of any argument may have. */
    private static final int LEAST_TEXT = 20_000;
    /** What a column holds. */
    private static final int MOST_TEXT = 1 << 20;

    /** Checks the values. */
    public RequestBounds {
        SettingRange.requireSize(PREFIX + "max-stranger-body", maxStrangerBody, "1B", "16KB");
        requirePositive("max-json-tokens", maxJsonTokens);
        InvalidSettingException.require(
                maxText >= LEAST_TEXT && maxText <= MOST_TEXT,
                PREFIX + "max-text",
                "must be 20000 to 1048576",
                maxText,
                "leave it out for the default");
        SettingRange.requireSize(PREFIX + "max-bytes-in-flight", maxBytesInFlight, "1B", "32MB");
        SettingRange.requireTime(PREFIX + "body-deadline", bodyDeadline, "1ms", "30s");
        SettingRange.requireTime(PREFIX + "answer-deadline", answerDeadline, "1ms", "60s");
        requirePositive("max-waiting", maxWaiting);
        requirePositive("max-queued", maxQueued);
        SettingRange.requireSize(PREFIX + "max-answer", maxAnswer, "1B", "8MB");
        SettingRange.requireSize(PREFIX + "max-answers-in-flight", maxAnswersInFlight, "1B", "64MB");
        SettingRange.requireTime(PREFIX + "work-deadline", workDeadline, "1ms", "60s");
        requirePositive("max-statements", maxStatements);
        requirePositive("max-connections-per-address", maxConnectionsPerAddress);
    }

    /**
     * Tells how long what is shown of a text may be: marks are spelled longer than they are written, and pictures say more of themselves.
     *
     * @return characters, and no more than a column holds
     */
    public int maxShownText() {
        return Math.min(2 * maxText, MOST_TEXT);
    }

    private static void requirePositive(String name, int value) {
        InvalidSettingException.require(
                value > 0, PREFIX + name, "must be positive", value, "leave it out for the default");
    }
}
