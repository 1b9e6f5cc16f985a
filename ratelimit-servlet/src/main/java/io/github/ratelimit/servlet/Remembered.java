package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpDecisions;
import jakarta.servlet.ServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept with a request, in one attribute: it goes wherever the request is dispatched to. */
final class Remembered {

    private static final String ATTRIBUTE = Remembered.class.getName();

    final HttpDecisions decisions = new HttpDecisions();

    /** Of the last verdict, which has those of all before it. */
    Map<String, String> fields = Map.of();

    static Remembered of(ServletRequest request) {
        Remembered remembered = find(request);
        if (remembered == null) {
            remembered = new Remembered();
            request.setAttribute(ATTRIBUTE, remembered);
        }
        return remembered;
    }

    static @Nullable Remembered find(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Remembered remembered ? remembered : null;
    }
}
