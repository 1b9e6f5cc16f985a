package io.github.ratelimit.spring;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Names limiters that are described in place: the same in every process and after every start, as their counts may be shared. */
final class InlineNames {

    private static final int LONGEST = 64;
    private static final int DIGEST_LENGTH = 8;

    private InlineNames() {}

    /** The names by the places' ids. */
    static Map<String, String> of(List<AnnotatedPlace> places) {
        List<AnnotatedPlace> inline =
                places.stream().filter(AnnotatedPlace::isInline).toList();
        Map<String, Long> uses =
                inline.stream().collect(Collectors.groupingBy(InlineNames::plain, Collectors.counting()));
        Map<String, String> names = new HashMap<>();
        for (AnnotatedPlace place : inline) {
            String given = place.annotation().name();
            String plain = plain(place);
            boolean clear = uses.getOrDefault(plain, 0L) == 1 && isWellFormed(plain);
            names.put(place.id(), !given.isEmpty() ? given : clear ? plain : distinct(plain, place.id()));
        }
        return names;
    }

    private static String plain(AnnotatedPlace place) {
        String given = place.annotation().name();
        if (!given.isEmpty()) {
            return given;
        }
        return place.index() == 0 ? place.label() : place.label() + "-" + (place.index() + 1);
    }

    private static boolean isWellFormed(String name) {
        return name.length() <= LONGEST && name.chars().allMatch(InlineNames::isAllowed);
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || ".-_".indexOf(c) >= 0;
    }

    /** What can be kept of the name, and a digest of where it stands: overloads and namesakes are told apart in no order. */
    private static String distinct(String plain, String id) {
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
