package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A call that nobody made, described as far as keys ask. */
record DescribedCall(
        String remoteAddress,
        @Nullable String signedIn,
        Map<String, List<String>> headers,
        Map<String, List<String>> attributes)
        implements HttpCall {

    /** {@code name:value} each; names in any case. */
    static Map<String, List<String>> parse(@Nullable List<String> pairs) {
        Map<String, List<String>> parsed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String pair : pairs == null ? List.<String>of() : pairs) {
            int colon = pair.indexOf(':');
            String name = colon < 0 ? pair : pair.substring(0, colon);
            parsed.computeIfAbsent(name.strip(), key -> new ArrayList<>())
                    .add(colon < 0 ? "" : pair.substring(colon + 1).strip());
        }
        return parsed;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public Optional<String> user() {
        return Optional.ofNullable(signedIn);
    }

    @Override
    public Optional<String> attribute(String name) {
        return attributes.getOrDefault(name, List.of()).stream().findFirst();
    }

    @Override
    public HttpDecisions decisions() {
        return new HttpDecisions();
    }
}
