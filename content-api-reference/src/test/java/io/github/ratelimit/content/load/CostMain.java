package io.github.ratelimit.content.load;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints and draws what one request costs against its size, for each argument that each route takes, and for the bodies of the
 * other surface: the processor time of the server's workers and the bytes that they allocate.
 *
 * <p>Each argument is tried with texts that somebody would send who wants it to be dear; the dearest one is sent in every size, from
 * 1 KiB to the most that is read, in characters. Arguments: a pattern that the names of the endpoints to measure hold; all, if it is not given. Writes
 * {@code target/costs.txt}, {@code target/costs.svg}, and {@code target/costs-nearest.md}, the rows nearest to their bound.
 */
public final class CostMain {
    /** Beside what else a request needs, of what texts have together. */
    private static final int MOST = 163_500;

    private static final List<Integer> SIZES = List.of(1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 17, MOST);
    private static final int TRIED_AT = 1 << 13;
    private static final int ROUNDS = 2;
    private static final double MOST_MILLIS = 100;
    private static final double MOST_MEBIBYTES = 16;
    private static final double LINEAR = 1.35;
    /** As many as a batch may have. */
    private static final int POSTS = 25;
    /** Of less processor time a pause of the collector decides by what power it grows. */
    private static final double LEAST_MILLIS = 5;

    private static final int NEAREST = 12;
    private static final String WORKSPACE_TOKEN = "cms_token-of-the-site-that-is-measured-0";

    private static final List<String> TEXTS = List.of(
            "word ",
            "a",
            "-",
            "\n\n",
            "<b>",
            "<?",
            "<a href=x ",
            "<!-- wp:x -->",
            "[caption]",
            "[x",
            "&",
            "&amp;",
            "\"'",
            "\u0301",
            "\uD83D\uDE00",
            "\u6587",
            "\"'\"",
            "--- ",
            "http://a.example/ ",
            "<b>x</b> ",
            "...",
            "<img class=wp-image-1 src=x>",
            "%41",
            "1,");

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final SiteClient site;
    private final Account admin = Accounts.standard().get("admin");
    private final Map<String, Long> ids = new TreeMap<>();

    private CostMain(SiteClient site) {
        this.site = site;
    }

    /** What one request takes. */
    private record Cost(int status, double millis, double mebibytes) {}

    /**
     * A request of any size.
     *
     * @param name of the route and the argument
     * @param most bytes that it may have
     * @param writes whether it leaves items behind
     * @param texts of which the dearest is repeated
     * @param body by a text that is repeated, and a size
     * @param call makes it of a body
     */
    private record Endpoint(
            String name,
            int most,
            boolean writes,
            List<String> texts,
            Body body,
            Function<String, SiteClient.Call> call) {
        Endpoint(String name, int most, boolean writes, Body body, Function<String, SiteClient.Call> call) {
            this(name, most, writes, TEXTS, body, call);
        }
    }

    private interface Body {
        String of(String text, int size);
    }

    /** The cost of one size. */
    private record Point(int size, Cost cost) {}

    /** The costs of an endpoint, smallest size first. */
    private record Line(String name, String text, List<Point> costs) {
        Cost last() {
            return costs.get(costs.size() - 1).cost();
        }

        /** By which power of its size a request grows, over the upper half of the sizes. */
        double power() {
            if (costs.size() < 3) {
                return 0;
            }
            Point from = costs.get(costs.size() - 3);
            Point to = costs.get(costs.size() - 1);
            return Math.log(to.cost().millis() / Math.max(0.5, from.cost().millis()))
                    / Math.log((double) to.size() / from.size());
        }

        boolean isTooDear() {
            return share() > 1 || (last().millis() > LEAST_MILLIS && power() > LINEAR);
        }

        /** How much of what a request of the largest size may take it takes: more than 1 is too much. */
        double share() {
            return Math.max(last().millis() / MOST_MILLIS, last().mebibytes() / MOST_MEBIBYTES);
        }
    }

    /** Measures, prints and draws, and ends with status 1 where a request is too dear. */
    public static void main(String[] args) throws IOException {
        Pattern wanted = Pattern.compile(args.length > 0 ? args[0] : "");
        boolean isTooDear;
        try (ReferenceServer server = ReferenceServer.start(
                Database.H2,
                "--ratelimit.enabled=false",
                "--content-api.provision.workspaces[0].id=site",
                "--content-api.provision.workspaces[0].token=" + WORKSPACE_TOKEN)) {
            CostMain costs = new CostMain(new SiteClient(server.base()));
            costs.prepare();
            List<Line> lines = costs.endpoints()
                    .filter(endpoint -> wanted.matcher(endpoint.name()).find())
                    .map(costs::measureSurely)
                    // Each at once: what is dear enough never comes to an end.
                    .peek(line -> System.out.print(row(line)))
                    .sorted(Comparator.comparingDouble(
                            (Line line) -> -line.last().millis()))
                    .toList();
            String table = table(lines);
            System.out.print(table);
            Files.writeString(Path.of("target/costs.txt"), table);
            Files.writeString(Path.of("target/costs-nearest.md"), nearest(lines));
            Files.writeString(Path.of("target/costs.svg"), CostDrawing.of(series(lines), MOST_MILLIS));
            isTooDear = lines.stream().anyMatch(Line::isTooDear);
        }
        System.exit(isTooDear ? 1 : 0);
    }

    private void prepare() {
        ids.put("posts", make("posts", fields().put("title", "Measured")));
        ids.put("pages", make("pages", fields().put("title", "Measured")));
        ids.put("tags", make("tags", fields().put("name", "Measured")));
        ids.put("categories", make("categories", fields().put("name", "Measured")));
        Answer file = site.call("POST", "/cms/v2/media")
                .as(admin)
                .header("Content-Type", "text/plain")
                .header("Content-Disposition", "attachment; filename=\"measured.txt\"")
                .body(new byte[] {'x'})
                .send();
        ids.put("media", file.json().path("id").longValue());
    }

    private void forget() {
        ids.forEach((collection, id) -> delete("/cms/v2/" + collection + "/" + id));
    }

    private void delete(String path) {
        site.call("DELETE", path, Query.of("force", "true", "reassign", "0"))
                .as(admin)
                .send();
    }

    private long make(String collection, ObjectNode fields) {
        return site.call("POST", "/cms/v2/" + collection)
                .as(admin)
                .json(fields)
                .send()
                .json()
                .path("id")
                .longValue();
    }

    private Stream<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>();
        for (IndexDocument.Route route : IndexDocument.of(site).routes()) {
            for (IndexDocument.Endpoint endpoint : route.endpoints()) {
                boolean reads = endpoint.methods().contains("GET");
                if (!reads
                        && !endpoint.methods().contains("POST")
                        && !endpoint.methods().contains("PUT")) {
                    continue;
                }
                endpoint.arguments().forEach((name, descriptor) -> {
                    if (!route.parameters().contains(name)) {
                        all.add(endpoint(route, endpoint, reads, name, descriptor));
                    }
                });
            }
        }
        String token = visitorToken();
        all.add(widget("init", "page", "", 65_000));
        all.add(widget("messages", "text", token, 65_000));
        all.add(widget("leads", "note", token, 65_000));
        all.add(widget("events", "name", token, 65_000));
        all.add(widget("satisfaction", "comment", "", 65_000));
        all.add(widget("coupon/apply", "code", "", 65_000));
        all.add(batch());
        all.add(noted());
        all.add(sync("title"));
        all.add(sync("content"));
        for (String text : TEXTS) {
            all.add(written(text));
            all.add(changed(text));
        }
        return all.stream();
    }

    private Endpoint endpoint(
            IndexDocument.Route route,
            IndexDocument.Endpoint endpoint,
            boolean reads,
            String name,
            JsonNode descriptor) {
        String kind = route.readable().replaceFirst("/cms/v2/", "").replaceFirst("[/<].*", "");
        // Asked each time: what a row writes is made anew behind it.
        Supplier<String> path = () -> route.path(parameter -> parameter.equals("type")
                ? "post"
                : parameter.equals("taxonomy") ? "category" : String.valueOf(ids.getOrDefault(kind, 1L)));
        Body body = (text, size) -> {
            ObjectNode fields = fields();
            endpoint.arguments().forEach((other, its) -> {
                if (its.path("required").asBoolean(false)) {
                    fields.set(other, sized(its, "x", 4));
                }
            });
            return fields.set(name, sized(descriptor, text, size)).toString();
        };
        String method = reads ? "GET" : endpoint.methods().contains("POST") ? "POST" : "PUT";
        return new Endpoint(
                method + " " + route.readable() + " " + name,
                MOST,
                !reads,
                body,
                json -> site.callAddress(
                                "POST", site.base() + "/index.php?_method=" + method + "&rest_route=" + path.get())
                        .as(admin)
                        .json(json));
    }

    private Endpoint widget(String path, String name, String token, int most) {
        return new Endpoint(
                "POST widget " + path + " " + name,
                most,
                false,
                (text, size) -> fields().put("email", "a@example.test")
                        .put("rating", 5)
                        .put(name, repeated(text, size))
                        .toString(),
                json -> {
                    SiteClient.Call call = site.callAddress("POST", site.base() + "/api/v1/widget/" + path);
                    return token.isEmpty()
                            ? call.json(json)
                            : call.header("Authorization", "Bearer " + token).json(json);
                });
    }

    private Endpoint sync(String name) {
        return new Endpoint(
                "POST /v1/cms/documents " + name,
                199_000,
                false,
                (text, size) -> {
                    ObjectNode document = fields().put("id", 1).put("title", "Measured");
                    document.put(name, repeated(text, size));
                    ObjectNode body = fields();
                    body.putArray("documents").add(document);
                    return body.toString();
                },
                json -> site.callAddress("POST", site.base() + "/v1/cms/documents")
                        .header("Authorization", "Bearer " + WORKSPACE_TOKEN)
                        .json(json));
    }

    /** Makes as many items as a batch may, which share the text. */
    private Endpoint batch() {
        return new Endpoint(
                "POST /batch/v1 of posts",
                MOST,
                true,
                (text, size) -> {
                    ObjectNode body = fields();
                    for (int post = 0; post < POSTS; post++) {
                        body.withArray("requests")
                                .addObject()
                                .put("path", "/cms/v2/posts")
                                .putObject("body")
                                .put("content", repeated(text, size / (POSTS + 1)));
                    }
                    return body.toString();
                },
                json -> site.call("POST", "/batch/v1").as(admin).json(json));
    }

    /** Gives an item notes, which tools keep with it. */
    private Endpoint noted() {
        return new Endpoint(
                "PUT meta.footnotes",
                MOST,
                true,
                (text, size) -> {
                    ObjectNode body = fields();
                    body.putObject("meta").put("footnotes", repeated(text, size));
                    return body.toString();
                },
                json -> site.call("PUT", "/cms/v2/posts/" + ids.get("posts"))
                        .as(admin)
                        .json(json));
    }

    /** Makes an item that holds a text. */
    private Endpoint written(String text) {
        return new Endpoint(
                "POST content of",
                MOST,
                true,
                List.of(text),
                CostMain::repeated,
                content -> site.call("POST", "/cms/v2/posts").as(admin).json(fields().put("content", content)));
    }

    /** Changes the title of an item that holds a text, which stays; a wording is kept each time. */
    private Endpoint changed(String text) {
        return new Endpoint("PUT title beside a content of", MOST, true, List.of(text), CostMain::repeated, content -> {
            String path = "/cms/v2/posts/" + ids.get("posts");
            site.call("POST", path)
                    .as(admin)
                    .json(fields().put("content", content))
                    .send();
            return site.call("PUT", path).as(admin).json(fields().put("title", "Changed " + System.nanoTime()));
        });
    }

    private String visitorToken() {
        return site.callAddress("POST", site.base() + "/api/v1/widget/init")
                .json("{}")
                .send()
                .json()
                .path("token")
                .asString();
    }

    private static JsonNode sized(JsonNode descriptor, String text, int size) {
        Set<String> types = Set.copyOf(
                descriptor.path("type").isArray()
                        ? descriptor
                                .path("type")
                                .valueStream()
                                .map(JsonNode::asString)
                                .toList()
                        : List.of(descriptor.path("type").asString("string")));
        if (types.contains("array") && !types.contains("string")) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            boolean isOfNumbers =
                    descriptor.path("items").path("type").asString("").equals("integer");
            for (int at = 0; at < size; at += 8) {
                if (isOfNumbers) {
                    list.add(100_000 + at);
                } else {
                    list.add(repeated(text, 4) + at);
                }
            }
            return list;
        }
        return JsonNodeFactory.instance.stringNode(repeated(text, size));
    }

    private static String repeated(String text, int size) {
        return text.repeat(Math.max(1, size / text.length()));
    }

    /** A pause of the machine falls upon one of some hundred requests; what is too dear is so each time. */
    private Line measureSurely(Endpoint endpoint) {
        Line first = measure(endpoint);
        if (!first.isTooDear()) {
            return first;
        }
        System.out.print(row(first));
        return measure(endpoint);
    }

    private Line measure(Endpoint endpoint) {
        Map<String, Double> tried = new TreeMap<>();
        for (String text : endpoint.texts()) {
            tried.put(text, run(endpoint, text, TRIED_AT).millis());
        }
        String dearest = tried.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        List<Point> costs = SIZES.stream()
                .map(size -> Math.min(size, endpoint.most()))
                .distinct()
                .map(size -> new Point(size, best(endpoint, dearest, size)))
                .toList();
        if (endpoint.writes()) {
            // What one row wrote, its wordings among it, must not be read by the next.
            forget();
            prepare();
        }
        return new Line(endpoint.name(), dearest, costs);
    }

    /** The cheapest of some: what else the machine does makes none cheaper. */
    private Cost best(Endpoint endpoint, String text, int size) {
        return Stream.generate(() -> run(endpoint, text, size))
                .limit(ROUNDS)
                .min(Comparator.comparingDouble(Cost::millis))
                .orElseThrow();
    }

    private Cost run(Endpoint endpoint, String text, int size) {
        SiteClient.Call call = endpoint.call().apply(endpoint.body().of(text, size));
        long[] before = spent();
        Answer answer = call.send();
        long[] after = spent();
        String made = answer.status() == 201 ? answer.header("Location").orElse("") : "";
        if (made.contains("rest_route=")) {
            delete(made.substring(made.indexOf("rest_route=") + "rest_route=".length()));
        }
        return new Cost(answer.status(), (after[0] - before[0]) / 1e6, (after[1] - before[1]) / 1048576.0);
    }

    /** Nanoseconds of the processor, and bytes, that the workers took so far. */
    private long[] spent() {
        long cpu = 0;
        long bytes = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("-exec-")) {
                cpu += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
                bytes += Math.max(0, threads.getThreadAllocatedBytes(thread.getThreadId()));
            }
        }
        return new long[] {cpu, bytes};
    }

    private static Map<String, Map<Integer, Double>> series(List<Line> lines) {
        Map<String, Map<Integer, Double>> series = new TreeMap<>();
        for (Line line : lines) {
            Map<Integer, Double> points = new TreeMap<>();
            line.costs().forEach(point -> points.put(point.size(), point.cost().millis()));
            series.put(line.name(), points);
        }
        return series;
    }

    private static String table(List<Line> lines) {
        StringBuilder table = new StringBuilder();
        table.append(String.format(
                Locale.ROOT, "%-62s %-22s %s%n", "endpoint and argument", "text", "ms/MiB (status) by size"));
        lines.forEach(line -> table.append(row(line)));
        return table.toString();
    }

    /** The rows that are nearest to their bound, as the documents show them. */
    private static String nearest(List<Line> lines) {
        StringBuilder table =
                new StringBuilder("| Request and argument | Text | ms | MiB | Status |\n|---|---|---|---|---|\n");
        lines.stream()
                .sorted(Comparator.comparingDouble((Line line) -> -line.share()))
                .limit(NEAREST)
                .forEach(line -> table.append(String.format(
                        Locale.ROOT,
                        "| `%s` | `%s` | %.0f | %.0f | %d |%n",
                        line.name(),
                        line.text().replace("\n", "\\n"),
                        line.last().millis(),
                        line.last().mebibytes(),
                        line.last().status())));
        return table.toString();
    }

    private static String row(Line line) {
        StringBuilder costs = new StringBuilder();
        for (Point point : line.costs()) {
            Cost cost = point.cost();
            costs.append(String.format(
                    Locale.ROOT,
                    "%5dK %7.1f/%-6.1f(%d)",
                    point.size() >> 10,
                    cost.millis(),
                    cost.mebibytes(),
                    cost.status()));
        }
        String text = line.text().replace("\n", "\\n");
        return String.format(
                Locale.ROOT,
                "%-62s %-22s %s  power %.2f%s%n",
                line.name(),
                text,
                costs,
                line.power(),
                line.isTooDear() ? "  <<<" : "");
    }

    private static ObjectNode fields() {
        return JsonNodeFactory.instance.objectNode();
    }
}
