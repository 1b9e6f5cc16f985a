package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Sends the recorded requests of a topic and compares the answers.
 *
 * <p>The captures of a group run in order and share the names they bind. Whatever a group created is deleted for good when it
 * ends, whether its captures fit or not, so that groups do not see each other.
 */
public final class Replayer {

    private static final List<String> PLAIN_HEADERS =
            List.of("X-WP-Total", "X-WP-TotalPages", "Location", "Access-Control-Allow-Origin");
    private static final Pattern ROUTE = Pattern.compile("[?&]rest_route=([^&]+)");
    private static final Pattern LINK = Pattern.compile("<([^>]*)>\\s*((?:;\\s*[^;,]+)*)");

    private final SiteClient site;
    private final Accounts accounts;
    private final Recordings recordings;
    private final ContentSet content;

    private Replayer(SiteClient site, Accounts accounts, Recordings recordings, ContentSet content) {
        this.site = site;
        this.accounts = accounts;
        this.recordings = recordings;
        this.content = content;
    }

    /** Loads the content of the recordings into the server and returns a replayer for them. */
    public static Replayer load(SiteClient site, Accounts accounts, Recordings recordings) {
        return new Replayer(site, accounts, recordings, ContentSet.load(site, accounts, recordings));
    }

    /** Returns the content that was loaded. */
    public ContentSet content() {
        return content;
    }

    /** Sends all requests of a topic. */
    public TopicResult play(String topic) {
        List<CaptureResult> results = new ArrayList<>();
        for (List<Recordings.Capture> group : recordings.topic(topic)) {
            results.addAll(playGroup(group));
        }
        return new TopicResult(topic, results);
    }

    private List<CaptureResult> playGroup(List<Recordings.Capture> group) {
        List<CaptureResult> results = new ArrayList<>();
        Names names = content.names().inner();
        Deque<String> created = new ArrayDeque<>();
        try {
            for (Recordings.Capture capture : group) {
                results.add(playCapture(capture, names, created));
            }
        } finally {
            // Latest first: what belongs to another item goes before it.
            created.forEach(this::delete);
        }
        return results;
    }

    private CaptureResult playCapture(Recordings.Capture capture, Names names, Deque<String> created) {
        if (!offered(capture.needs())) {
            return new CaptureResult(capture, Outcome.SKIPPED, List.of());
        }
        List<String> differences;
        try {
            Answer answer = send(capture.request(), names);
            JsonNode body = Bodies.of(answer);
            remember(answer.status(), answer.header("Location").orElse(""), body, created);
            differences = bind(capture, body, names);
            if (differences.isEmpty()) {
                differences = compare(capture, answer, body, names);
            }
        } catch (Names.UnknownName | UncheckedIOException e) {
            differences = List.of(String.valueOf(e.getMessage()));
        }
        if (differences.isEmpty()) {
            return new CaptureResult(capture, Outcome.PASSED, differences);
        }
        return new CaptureResult(capture, capture.advisory() ? Outcome.DIFFERS : Outcome.FAILED, differences);
    }

    private boolean offered(List<String> needs) {
        for (String need : needs) {
            boolean offered = switch (need) {
                case "trusted-caller" -> !accounts.trustedCallerHeaders().isEmpty();
                case "email-login" ->
                    accounts.all().stream().noneMatch(account -> account.email().isEmpty());
                default -> false;
            };
            if (!offered) {
                return false;
            }
        }
        return true;
    }

    private Answer send(Recordings.Request request, Names names) {
        Query query = query(names.value(request.query()));
        SiteClient.Call call = site.call(request.method(), names.text(request.route()), query);
        authorise(call, request.auth());
        JsonNode body = request.body();
        JsonNode form = request.form();
        JsonNode rawBody = request.rawBody();
        JsonNode file = request.file();
        if (body != null) {
            call.json(names.value(body));
        } else if (form != null) {
            call.form(query(names.value(form)));
        } else if (rawBody != null) {
            call.body(names.text(rawBody.asString()).getBytes(StandardCharsets.UTF_8));
        } else if (file != null) {
            Uploads.put(file, names, recordings, call);
        }
        for (Map.Entry<String, JsonNode> header : request.headers().properties()) {
            call.header(header.getKey(), names.text(header.getValue().asString()));
        }
        return call.send();
    }

    private void authorise(SiteClient.Call call, String auth) {
        int colon = auth.indexOf(':');
        if (colon >= 0) {
            call.header("Authorization", Account.basic(auth.substring(0, colon), auth.substring(colon + 1)));
        } else if (auth.equals("trusted-caller")) {
            call.headers(accounts.trustedCallerHeaders());
        } else if (!auth.equals("anonymous")) {
            call.header("Authorization", accounts.get(auth).basic());
        }
    }

    private static Query query(JsonNode arguments) {
        Query query = Query.create();
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            add(query, argument.getKey(), argument.getValue());
        }
        return query;
    }

    private static void add(Query query, String name, JsonNode value) {
        if (value.isArray()) {
            String repeated = name.endsWith("[]") ? name : name + "[]";
            value.forEach(item -> add(query, repeated, item));
        } else if (value.isObject()) {
            value.properties().forEach(entry -> add(query, name + "[" + entry.getKey() + "]", entry.getValue()));
        } else {
            query.add(name, value.asString());
        }
    }

    private static List<String> bind(Recordings.Capture capture, JsonNode body, Names names) {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, String> entry : capture.bind().entrySet()) {
            JsonNode value = body;
            for (String step : entry.getValue().split("\\.")) {
                value = value.isArray() ? value.path(Integer.parseInt(step)) : value.path(step);
            }
            if (value.isMissingNode()) {
                String text = body.toString();
                differences.add("the answer has no " + entry.getValue() + ": "
                        + text.substring(0, Math.min(300, text.length())));
            } else {
                names.bind(entry.getKey(), value);
            }
        }
        return differences;
    }

    private static List<String> compare(Recordings.Capture capture, Answer answer, JsonNode body, Names names) {
        List<String> differences = new ArrayList<>();
        int status = capture.response().path("status").asInt();
        if (answer.status() != status) {
            String text = answer.text();
            differences.add("status: expected " + status + ", was " + answer.status() + " "
                    + text.substring(0, Math.min(300, text.length())));
            return differences;
        }
        compareHeaders(capture.response().path("headers"), answer, names, differences);
        if (Bodies.isBrokenJson(answer)) {
            differences.add("body: is no JSON: " + answer.text());
        }
        JsonNode expected = capture.response().path("body");
        differences.addAll(Expectation.compare(names, expected, body, capture.unordered()));
        return differences;
    }

    /** A recording without fields, or without links, demands none: every answer of this interface has some. */
    private static void compareHeaders(JsonNode recorded, Answer answer, Names names, List<String> differences) {
        if (recorded.isEmpty()) {
            return;
        }
        String type =
                recorded.path("content-type").asString("").split(";", 2)[0].strip();
        if (!type.equalsIgnoreCase(answer.mediaType())) {
            differences.add("Content-Type: expected " + type + ", was " + answer.mediaType());
        }
        for (String name : PLAIN_HEADERS) {
            String expected = recordedHeader(recorded, name);
            String actual = answer.header(name).orElse("");
            if (!Expectation.matches(names, expected, actual)) {
                differences.add(difference(name, expected, actual));
            }
        }
        String allow = recordedHeader(recorded, "Allow");
        String actualAllow = answer.header("Allow").orElse("");
        if (!allow.equals("{{any}}") && !Expectation.methods(allow).equals(Expectation.methods(actualAllow))) {
            differences.add(difference("Allow", allow, actualAllow));
        }
        String link = recordedHeader(recorded, "Link");
        String actualLink = answer.header("Link").orElse("");
        if (!link.isEmpty() && !Expectation.matches(names, canonicalLinks(link), canonicalLinks(actualLink))) {
            differences.add(difference("Link", link, actualLink));
        }
    }

    private static String recordedHeader(JsonNode recorded, String name) {
        for (Map.Entry<String, JsonNode> header : recorded.properties()) {
            if (header.getKey().equalsIgnoreCase(name)) {
                return header.getValue().asString();
            }
        }
        return "";
    }

    private static String difference(String name, String expected, String actual) {
        return name + ": expected " + (expected.isEmpty() ? "none" : expected) + ", was "
                + (actual.isEmpty() ? "none" : actual);
    }

    /** The same links in one spelling: sorted, without quotation marks around their parameters. */
    private static String canonicalLinks(String field) {
        Set<String> links = new LinkedHashSet<>();
        Matcher matcher = LINK.matcher(field);
        while (matcher.find()) {
            links.add("<" + matcher.group(1) + ">"
                    + matcher.group(2).replace("\"", "").replaceAll("\\s", ""));
        }
        return String.join(", ", links.stream().sorted().toList());
    }

    /** Notes the route of everything that an answer says was created, also within a batch or an envelope. */
    private static void remember(int status, String location, JsonNode body, Deque<String> created) {
        Matcher route = ROUTE.matcher(location);
        if (status == 201 && route.find()) {
            created.push(URLDecoder.decode(route.group(1), StandardCharsets.UTF_8));
        }
        body.path("responses").forEach(inner -> rememberInner(inner, created));
        rememberInner(body, created);
    }

    private static void rememberInner(JsonNode answer, Deque<String> created) {
        String location = answer.at("/headers/Location").asString("");
        if (!location.isEmpty()) {
            remember(answer.path("status").asInt(0), location, answer.path("body"), created);
        }
    }

    private void delete(String route) {
        String reassign = route.startsWith("/cms/v2/users/") ? "&reassign=" + content.id("users.admin") : "";
        Answer answer = site.as(accounts.get("admin")).delete(route + "?force=true" + reassign);
        // The group itself may have deleted it.
        if (answer.status() != 200 && answer.status() != 404) {
            throw new IllegalStateException("cannot delete " + route + ": " + answer.status() + " " + answer.text());
        }
    }

    /** What became of a capture. */
    public enum Outcome {
        /** The answer fits. */
        PASSED,
        /** It does not, and it should. */
        FAILED,
        /** It does not, and need not. */
        DIFFERS,
        /** It was not sent: the server does not offer what it needs. */
        SKIPPED
    }

    /**
     * What became of a capture, and why.
     *
     * @param capture which one
     * @param outcome what
     * @param differences in which points the answer differs
     */
    public record CaptureResult(Recordings.Capture capture, Outcome outcome, List<String> differences) {}

    /**
     * What became of a topic.
     *
     * @param topic which one
     * @param captures its captures, in order
     */
    public record TopicResult(String topic, List<CaptureResult> captures) {

        /** Returns how many captures ended so. */
        public long count(Outcome outcome) {
            return captures.stream()
                    .filter(capture -> capture.outcome() == outcome)
                    .count();
        }

        /** Returns every difference, and {@code N passed, N failed} as the last line. */
        public String report() {
            StringBuilder report = new StringBuilder();
            for (CaptureResult result : captures) {
                if (result.outcome() == Outcome.FAILED || result.outcome() == Outcome.DIFFERS) {
                    report.append(result.outcome() == Outcome.FAILED ? "FAILED " : "advisory ")
                            .append(topic)
                            .append(": ")
                            .append(result.capture().name())
                            .append(" (")
                            .append(result.capture().request().method())
                            .append(' ')
                            .append(result.capture().request().route())
                            .append(")\n");
                    result.differences()
                            .forEach(line -> report.append("    ").append(line).append('\n'));
                }
            }
            report.append(topic)
                    .append(": ")
                    .append(count(Outcome.PASSED))
                    .append(" passed, ")
                    .append(count(Outcome.FAILED))
                    .append(" failed");
            long others = count(Outcome.DIFFERS) + count(Outcome.SKIPPED);
            return report.append(others == 0 ? "" : " (" + others + " advisory or not offered)")
                    .toString();
        }
    }
}
