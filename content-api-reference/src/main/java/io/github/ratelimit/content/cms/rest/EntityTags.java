package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.shared.storage.Sha256;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * Names what an answer shows: the version of the thing, and a digest of the bytes.
 *
 * <p>Who writes is asked for the version alone, as one thing is shown in many forms. Who reads is asked for all of it: the
 * same version looks different to another caller.
 *
 * <p>Rule: RFC 9110 §8.8.3, §13.1.1, §13.1.2.
 */
final class EntityTags {
    /** Chosen: nobody finds two answers with the same, and it stays short. */
    private static final int DIGEST_BYTES = 12;

    private EntityTags() {}

    /** Names a version in the form that was digested. */
    static String of(long version, String digest) {
        return "\"" + version + "-" + digest + "\"";
    }

    static String digest(byte[] body) {
        return HexFormat.of().formatHex(Sha256.begin().digest(body), 0, DIGEST_BYTES);
    }

    /** Says whether a list of expected tags names a version; a weak tag names nothing that may be overwritten. */
    static boolean allowsWriting(String expected, long version) {
        return tags(expected).anyMatch(tag -> tag.equals("*") || tag.startsWith("\"" + version + "-"));
    }

    /** Says whether a list of known tags holds a tag. */
    static boolean holds(String known, String tag) {
        return tags(known)
                .anyMatch(one -> one.equals("*") || (one.startsWith("W/") ? one.substring(2) : one).equals(tag));
    }

    /** None of our tags has a comma in it. */
    private static Stream<String> tags(String list) {
        return Arrays.stream(list.split(",", -1)).map(String::strip);
    }
}
