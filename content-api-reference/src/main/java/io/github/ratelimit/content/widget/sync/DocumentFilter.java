package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Moments;
import io.github.ratelimit.content.widget.api.PlainText;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which documents of a list are wanted.
 *
 * @param search words that they must have; empty: any
 * @param updatedAfter only those that changed after this moment; null: all
 */
record DocumentFilter(String search, @Nullable Instant updatedAfter) {

    private static final int MAX_SEARCH = 500;

    /**
     * Reads the query's {@code search} and {@code updated_after}.
     *
     * @param search as sent
     * @param updatedAfter as sent
     * @return the filter
     * @throws ApiException 422 if either does not fit
     */
    static DocumentFilter of(@Nullable String search, @Nullable String updatedAfter) {
        Map<String, String> problems = new TreeMap<>();
        String problem = PlainText.Check.problem(search, MAX_SEARCH, false);
        if (problem != null) {
            problems.put("search", problem);
        }
        Instant after = Moments.read("updated_after", updatedAfter, problems);
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        return new DocumentFilter(search == null ? "" : search.strip(), after);
    }
}
