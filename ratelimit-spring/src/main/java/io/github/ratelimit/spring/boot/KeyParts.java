package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the parts of a key again. */
final class KeyParts {

    private KeyParts() {}

    /** The parts in their order; empty where one is absent. Rule: {@link Key#encoded()}. */
    static List<Optional<String>> of(Key key) {
        String encoded = key.encoded();
        List<Optional<String>> parts = new ArrayList<>();
        int at = 0;
        while (at < encoded.length()) {
            if (encoded.charAt(at) == '-') {
                parts.add(Optional.empty());
                at++;
            } else {
                int colon = encoded.indexOf(':', at);
                int end = colon + 1 + Integer.parseInt(encoded.substring(at, colon));
                parts.add(Optional.of(encoded.substring(colon + 1, end)));
                at = end;
            }
        }
        return parts;
    }

    /** The first part that is present. */
    static Optional<String> firstPresent(Key key) {
        return of(key).stream().flatMap(Optional::stream).findFirst();
    }
}
