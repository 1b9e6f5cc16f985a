package io.github.ratelimit.spring.web.reactive;

import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/** Reads header fields in the only way that is the same to Spring 6 and 7: {@code get} has another signature in each. */
final class HeaderLines {

    private HeaderLines() {}

    static List<String> of(HttpHeaders headers, String name) {
        if (headers.getFirst(name) == null) {
            return List.of();
        }
        for (Map.Entry<String, List<String>> field : headers.headerSet()) {
            if (field.getKey().equalsIgnoreCase(name)) {
                return List.copyOf(field.getValue());
            }
        }
        return List.of();
    }
}
