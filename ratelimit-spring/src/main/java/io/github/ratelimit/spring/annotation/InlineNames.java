package io.github.ratelimit.spring.annotation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Names limiters that are described in place: the same in every process and after every start, as their counts may be shared.
 *
 * <p>A name is made of the place alone. Were it made longer only where two places need it, a second method would rename the limiter of the
 * first one, and its counts would begin anew.
 */
final class InlineNames {

    private static final int LONGEST = 64;
    private static final int DIGEST_LENGTH = 8;

    private InlineNames() {}

    /**
     * The names by the places' ids.
     *
     * @throws InvalidRateLimitException if two places come to one name and do not both give it
     */
    static Map<String, String> of(List<AnnotatedPlace> places) {
        Map<String, AnnotatedPlace> first = new HashMap<>();
        Map<String, String> names = new HashMap<>();
        for (AnnotatedPlace place : places) {
            if (place.isInline()) {
                String name = name(place);
                AnnotatedPlace other = first.putIfAbsent(name, place);
                if (other != null && !(isGiven(place) && isGiven(other))) {
                    throw place.invalid(
                            "its limiter is called '%s', and so is that of %s".formatted(name, other.id()),
                            "give at least one of them a name of its own, for example name = \"%s\""
                                    .formatted(shortened(name, place.id())));
                }
                names.put(place.id(), name);
            }
        }
        return names;
    }

    private static boolean isGiven(AnnotatedPlace place) {
        return !place.annotation().name().isEmpty();
    }

    private static String name(AnnotatedPlace place) {
        if (isGiven(place)) {
            return place.annotation().name();
        }
        String plain = place.plainName();
        return isWellFormed(plain) ? plain : shortened(plain, place.id());
    }

    private static boolean isWellFormed(String name) {
        return name.length() <= LONGEST && name.chars().allMatch(InlineNames::isAllowed);
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }

    /** What can be kept of the name, and a digest of where it stands. */
    private static String shortened(String plain, String id) {
        String kept = plain.chars()
                .limit(LONGEST - DIGEST_LENGTH - 1)
                .mapToObj(c -> isAllowed(c) ? Character.toString(c) : "_")
                .collect(Collectors.joining());
        return kept + "-" + digest(id);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every Java platform", e);
        }
    }
}
