package io.github.ratelimit.content.widget.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of every error: one member, {@code error}.
 *
 * @param error what went wrong
 */
public record ApiError(Details error) {

    /**
     * What went wrong.
     *
     * @param code for programs
     * @param message for people
     * @param fields what does not fit, by the member's path; left out where no member is to blame
     */
    public record Details(
            String code,
            String message,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, String> fields) {}

    /**
     * Makes the body.
     *
     * @param problem what to tell
     * @return the body
     */
    public static ApiError of(ApiException problem) {
        var fields = problem.fields().isEmpty() ? null : problem.fields();
        return new ApiError(new Details(problem.code(), problem.text(), fields));
    }
}
