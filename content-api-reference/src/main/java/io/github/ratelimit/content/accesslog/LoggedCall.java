package io.github.ratelimit.content.accesslog;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A request as a line of an access log in the combined format tells of it. Fields that the format does not have, and attributes, are absent.
 *
 * <p>Rule: Apache HTTP Server, module mod_log_config, "Combined Log Format".
 */
final class LoggedCall implements HttpCall {

    /** Turns the texts of a log's moments into seconds; neighbouring lines mostly have the same one. Used by one thread. */
    static final class Moments {

        private static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

        private String last = "";
        private long second;

        /** @throws DateTimeException if it is none */
        long second(String text) {
            if (!text.equals(last)) {
                second = OffsetDateTime.parse(text, FORMAT).toEpochSecond();
                last = text;
            }
            return second;
        }
    }

    private final long second;
    private final String address;
    private final @Nullable String user;
    private final String method;
    private final String target;
    private final String path;
    private final @Nullable String referer;
    private final @Nullable String agent;
    private final HttpDecisions decisions = new HttpDecisions();

    private LoggedCall(
            long second,
            String address,
            @Nullable String user,
            String request,
            @Nullable String referer,
            @Nullable String agent) {
        this.second = second;
        this.address = address;
        this.user = user;
        int space = request.indexOf(' ');
        int end = request.indexOf(' ', space + 1);
        this.method = request.substring(0, space);
        String asked = request.substring(space + 1, end < 0 ? request.length() : end);
        int query = asked.indexOf('?');
        this.target = query < 0 ? asked : asked.substring(0, query);
        if (!target.startsWith("/")) {
            throw new IllegalArgumentException("no path");
        }
        this.path = target.indexOf('%') < 0 ? target : StringUtils.uriDecode(target, StandardCharsets.UTF_8);
        this.referer = referer;
        this.agent = agent;
    }

    /**
     * Reads a line.
     *
     * @return null if it is none of the format, or tells of no request with a path
     */
    static @Nullable LoggedCall parse(String line, Moments moments) {
        try {
            int address = line.indexOf(' ');
            int open = line.indexOf(" [", address);
            int close = line.indexOf("] \"", open);
            int request = close + 3;
            int requestEnd = quoted(line, request);
            String user = line.substring(line.indexOf(' ', address + 1) + 1, open);
            int first = line.indexOf('"', requestEnd + 1) + 1; // behind status and size
            int firstEnd = first == 0 ? 0 : quoted(line, first);
            int second = first == 0 ? 0 : line.indexOf('"', firstEnd + 1) + 1;
            return new LoggedCall(
                    moments.second(line.substring(open + 2, close)),
                    line.substring(0, address),
                    user.equals("-") ? null : user,
                    text(line, request, requestEnd),
                    first == 0 ? null : given(text(line, first, firstEnd)),
                    second == 0 ? null : given(text(line, second, quoted(line, second))));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    private static @Nullable String given(String text) {
        return text.equals("-") ? null : text;
    }

    /** Where a quoted text ends; a backslash stands before quotes and backslashes within it. */
    private static int quoted(String line, int from) {
        int at = from;
        while (line.charAt(at) != '"') {
            at += line.charAt(at) == '\\' ? 2 : 1;
        }
        return at;
    }

    private static String text(String line, int from, int to) {
        String text = line.substring(from, to);
        return text.indexOf('\\') < 0 ? text : text.replaceAll("\\\\(.)", "$1");
    }

    /** Seconds since 1970. */
    long second() {
        return second;
    }

    /** Who it was, for people: the user if somebody was signed in, and the address. */
    String client() {
        return user == null ? address : user + " at " + address;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public List<String> headers(String name) {
        String value = switch (name.toLowerCase(Locale.ROOT)) {
            case "user-agent" -> agent;
            case "referer" -> referer;
            default -> null;
        };
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Origin origin() {
        return Origin.of(address, target, name -> List.of());
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(user).map(name -> () -> name);
    }

    @Override
    public Optional<String> attribute(String name) {
        return Optional.empty();
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return decisions;
    }
}
