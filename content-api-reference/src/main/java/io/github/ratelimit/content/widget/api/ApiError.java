package io.github.ratelimit.content.widget.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of every error. */
record ApiError(Details error) {

    /** The error: a code for programs, a message for people, and the problems of the body by path. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Details(String code, String message, @Nullable Map<String, String> fields) {}
}
