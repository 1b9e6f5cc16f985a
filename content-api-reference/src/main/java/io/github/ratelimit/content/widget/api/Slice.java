package io.github.ratelimit.content.widget.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a list is asked for.
 *
 * @param page from 1
 * @param perPage items on a page, 1..100
 */
public record Slice(int page, int perPage) {

    private static final int DEFAULT_PER_PAGE = 50;
    private static final int MAX_PER_PAGE = 100;
    // Chosen: a database counts off what an offset skips, so a list is not walked further than this.
    private static final int MAX_OFFSET = 1_000_000;

    /**
     * Reads the query's {@code page} and {@code per_page}.
     *
     * @param page as sent; null: 1
     * @param perPage as sent; null: 50
     * @return the slice
     * @throws ApiException 422 if either is no whole number of its range
     */
    public static Slice of(@Nullable String page, @Nullable String perPage) {
        var problems = new TreeMap<String, String>();
        int size = number("per_page", perPage, DEFAULT_PER_PAGE, MAX_PER_PAGE, problems);
        int number = number("page", page, 1, MAX_OFFSET / Math.max(size, 1), problems);
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        return new Slice(number, size);
    }

    /**
     * Returns how many items come before the page.
     *
     * @return 0 or more
     */
    public int offset() {
        return (page - 1) * perPage;
    }

    /**
     * Makes the answer's members.
     *
     * @param <T> the type of item
     * @param items the page
     * @param total the items on all pages
     * @return the list
     */
    public <T> Listing<T> listing(List<T> items, long total) {
        return new Listing<>(items, page, perPage, total, (total + perPage - 1) / perPage);
    }

    private static int number(
            String name, @Nullable String value, int fallback, int max, Map<String, String> problems) {
        if (value == null) {
            return fallback;
        }
        // Nine digits always fit an int.
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        }
        problems.put(name, "must be a whole number from 1 to " + max);
        return fallback;
    }
}
