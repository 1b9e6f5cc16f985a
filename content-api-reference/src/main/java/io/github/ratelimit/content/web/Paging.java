package io.github.ratelimit.content.web;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** Answers one page of a list, with its totals and the addresses of the pages beside it. */
public final class Paging {
    private Paging() {}

    /**
     * Answers a page.
     *
     * @param request the request, which says what page it wants
     * @param items what is on the page
     * @param total how many items all pages have
     * @param pages how many pages there are
     * @return with {@code X-WP-Total}, {@code X-WP-TotalPages} and, where there are further pages, {@code Link}
     */
    public static RestAnswer answer(RestRequest request, ArrayNode items, long total, long pages) {
        RestAnswer answer = RestAnswer.ok(items)
                .withHeader("X-WP-Total", Long.toString(total))
                .withHeader("X-WP-TotalPages", Long.toString(pages));
        long page = request.arguments().number("page");
        List<String> links = new ArrayList<>();
        if (page > 1) {
            links.add("<" + request.addressOfPage(Math.min(page - 1, pages)) + ">; rel=\"prev\"");
        }
        if (page < pages) {
            links.add("<" + request.addressOfPage(page + 1) + ">; rel=\"next\"");
        }
        return links.isEmpty() ? answer : answer.withHeader("Link", String.join(", ", links));
    }

    /**
     * Counts pages.
     *
     * @param total how many items there are
     * @param perPage how many are on a page, 1 or more
     * @return rounded up
     */
    public static long pages(long total, long perPage) {
        return (total + perPage - 1) / perPage;
    }
}
