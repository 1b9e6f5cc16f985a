package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What lists have in common: the arguments that ask for a page of them, and the answer with its totals. */
public final class Paging {
    /** In characters; a longer one is left out. Chosen: Node.js and other clients refuse answers whose fields are longer than 16 KB together. */
    private static final int LONGEST_LINK = 8192;

    private Paging() {}

    /**
     * Declares the number of the page.
     *
     * @return the first page, unless it is sent
     */
    public static Argument page() {
        return Argument.optional(
                "page", Schema.integer("Which page.").defaultsTo(1).minimum(1));
    }

    /**
     * Declares how many things a page has.
     *
     * @param things what a list of this kind lists
     * @return 1 to 100
     */
    public static Argument perPage(String things) {
        return Argument.optional("per_page", size(things));
    }

    /**
     * Declares how many things a page has.
     *
     * @param things what a list of this kind lists
     * @param usual what it has where nothing is sent
     * @return 1 to 100
     */
    public static Argument perPage(String things, int usual) {
        return Argument.optional("per_page", size(things).defaultsTo(usual));
    }

    private static Schema size(String things) {
        return Schema.integer("How many " + things + " a page has.").between(1, 100);
    }

    /**
     * Declares how many things are left out at the start.
     *
     * @param things what a list of this kind lists
     * @return any number
     */
    public static Argument offset(String things) {
        return Argument.optional("offset", Schema.integer("How many " + things + " to leave out at the start."));
    }

    /**
     * Declares which way a list is sorted.
     *
     * @param usual {@code asc} or {@code desc}
     * @return one of both
     */
    public static Argument order(String usual) {
        return Argument.optional(
                "order", Schema.string("Which way to sort.").defaultsTo(usual).among("asc", "desc"));
    }

    /**
     * Declares what a list is sorted by.
     *
     * @param usual one of the names
     * @param names those that can be sent
     * @return one of them
     */
    public static Argument orderBy(String usual, String... names) {
        return Argument.optional(
                "orderby", Schema.string("What to sort by.").defaultsTo(usual).among(names));
    }

    /**
     * Declares a choice by ids.
     *
     * @param name of the argument
     * @param description for people
     * @return none, unless they are sent
     */
    public static Argument ids(String name, String description) {
        return Argument.optional(
                name, Schema.arrayOf(Schema.integer(), description).defaultsToNone());
    }

    /**
     * Reads a choice by ids. None is negative: the sign of one that was sent is not looked at.
     *
     * @param wanted with an argument of {@link #ids(String, String)}
     * @param name of the argument
     * @return in the order in which they were sent, each 0 or more
     */
    public static List<Long> ids(Arguments.Values wanted, String name) {
        return wanted.integers(name).stream().map(Paging::absolute).toList();
    }

    /**
     * Leaves out a sign.
     *
     * @param number any, also the smallest one
     * @return 0 or more
     */
    public static long absolute(long number) {
        return Math.abs(Math.max(number, -Long.MAX_VALUE));
    }

    /**
     * Tells how many things are before the page that is asked for.
     *
     * @param wanted with the arguments {@code page} and {@code per_page}, or {@code offset}, whose sign is not looked at
     * @param perPage how many a page has, 1 or more
     * @return 0 or more
     */
    public static long skipped(Arguments.Values wanted, long perPage) {
        if (wanted.integer("offset").isPresent()) {
            return absolute(wanted.number("offset"));
        }
        long before = wanted.integer("page").orElse(1) - 1;
        return before >= Long.MAX_VALUE / perPage ? Long.MAX_VALUE : before * perPage;
    }

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
        return answer(request, items, total, pages, request.arguments().number("page"));
    }

    /**
     * Answers a page that may have been asked for by what is left out before it.
     *
     * @param request the request
     * @param items what is on the page
     * @param total how many items all pages have
     * @param perPage how many a page has, 1 or more
     * @param skipped how many are left out at the start, 0 or more
     * @return with {@code X-WP-Total}, {@code X-WP-TotalPages} and, where there are pages before or behind it, {@code Link}
     */
    public static RestAnswer answerFrom(RestRequest request, ArrayNode items, long total, long perPage, long skipped) {
        long pages = pages(total, perPage);
        return answer(request, items, total, pages, 1 + (skipped < total ? pages(skipped, perPage) : pages));
    }

    private static RestAnswer answer(RestRequest request, ArrayNode items, long total, long pages, long page) {
        RestAnswer answer = RestAnswer.ok(items)
                .withHeader("X-WP-Total", Long.toString(total))
                .withHeader("X-WP-TotalPages", Long.toString(pages));
        List<String> links = new ArrayList<>();
        if (page > 1) {
            links.add("<" + address(request, Math.min(page - 1, pages)) + ">; rel=\"prev\"");
        }
        if (page < pages) {
            links.add("<" + address(request, page + 1) + ">; rel=\"next\"");
        }
        String link = String.join(", ", links);
        return links.isEmpty() || link.length() > LONGEST_LINK ? answer : answer.withHeader("Link", link);
    }

    /** Spells the address of a request with another page: the whole query in its order, arguments as they were understood. */
    private static String address(RestRequest request, long page) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put(RestAddress.ROUTE_PARAMETER, request.route());
        request.query().properties().forEach(parameter -> {
            JsonNode typed = request.arguments().get(parameter.getKey());
            all.set(parameter.getKey(), typed == null ? parameter.getValue() : typed);
        });
        all.put("page", page);
        return RestAddress.of(request.baseUrl(), all);
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
