package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many earlier wordings of an item are kept. The oldest ones make room for a new one; those that tools save by themselves
 * are one for each author, and do not count.
 *
 * @param most how many at most
 * @param characters how many characters all of them may have; the last two are kept whatever their length
 */
@ConfigurationProperties("content-api.revisions")
record RevisionProperties(
        @DefaultValue("100") int most,
        @DefaultValue("2097152") long characters) {
    /** Chosen: with fewer nothing could be taken back. */
    private static final int LEAST = 2;

    RevisionProperties {
        require("most", most, LEAST, 10_000);
        require("characters", characters, 1, 1L << 40);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidSettingException(
                    "content-api.revisions." + name,
                    "must be " + least + " to " + most + ", was " + value,
                    "Each wording is a whole copy of an item's texts.");
        }
    }

    /**
     * Says how many wordings stay.
     *
     * @param length of the newest one, in characters
     * @return 2 or more; so many of that length have as many characters as are allowed
     */
    int kept(long length) {
        return (int) Math.max(LEAST, Math.min(most, characters / Math.max(1, length)));
    }
}
