package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ServerProcess;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.Recordings;
import io.github.ratelimit.content.replay.Replayer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.util.FileSystemUtils;

/**
 * Starts the packaged server, gives it the content of the recordings and prints what six kinds of request cost it: processor
 * time for each, and how many a second it answers, beside the figures of the server that the recordings come from. What a request costs
 * falls with how many there were before, as the compiler's part does: so it tells that number as well, and how many it measured.
 *
 * <p>Arguments: the seconds to measure each kind for (10), the connections to use (4), a part of the names of the kinds to measure
 * (all; empty for all), and the seconds to warm each of them up for (half as long as it is measured). Every answer is checked: those of one
 * kind are the same to the byte, and beforehand the recordings of these routes are replayed, so that they are the right ones.
 */
public final class LoadMain {

    private static final List<String> TOPICS = List.of("index", "posts-list", "posts-item");

    private final TimeSource time = TimeSource.system();
    private final ServerProcess server;
    private final int connections;

    private LoadMain(ServerProcess server, int connections) {
        this.server = server;
        this.connections = connections;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws IOException {
        Duration measured = Duration.ofSeconds(args.length > 0 ? Integer.parseInt(args[0]) : 10);
        int connections = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        Path data = Files.createTempDirectory("load");
        try (ServerProcess server = ServerProcess.startJar(TimeSource.system(), data)) {
            Duration warmUp = args.length > 3 ? Duration.ofSeconds(Integer.parseInt(args[3])) : measured.dividedBy(2);
            new LoadMain(server, connections).measureAll(warmUp, measured, args.length > 2 ? args[2] : "");
        } finally {
            FileSystemUtils.deleteRecursively(data);
        }
    }

    private void measureAll(Duration warmUp, Duration measured, String part) {
        SiteClient site = new SiteClient(server.base());
        Replayer replayer = Replayer.load(site, Accounts.standard(), Recordings.ofTheProject());
        for (String topic : TOPICS) {
            Replayer.TopicResult result = replayer.play(topic);
            System.out.println(result.report());
        }
        String post = "/cms/v2/posts/" + replayer.content().id("posts.alpha");
        Account author = Accounts.standard().get("author");
        String article =
                "{\"title\":\"Load\",\"status\":\"publish\",\"content\":\"<p>" + "Some words. ".repeat(40) + "</p>\"}";
        String own = "/cms/v2/posts/"
                + site.as(author)
                        .post("/cms/v2/posts", Json.read(article))
                        .json()
                        .path("id");
        List<Scenario> scenarios = List.of(
                new Scenario("list of ten posts", get("/cms/v2/posts"), same(200), 22, 89),
                new Scenario("one post", get(post), same(200), 12.5, 155),
                new Scenario("index", get("/"), same(200), 11, 175),
                new Scenario("publish", post("/cms/v2/posts", author, article), LoadMain::isPublished, 41, 47),
                new Scenario("update", post(own, author, article), reply -> reply.status() == 200, 0, 0),
                new Scenario("signed-in list", get("/cms/v2/posts", author), same(200), 0, 0));

        System.out.printf(
                "%n%-20s %10s %10s %7s %12s %12s %10s %10s%n",
                "request", "CPU ms", "reference", "share", "requests/s", "reference", "before", "measured");
        for (Scenario scenario : scenarios) {
            if (!scenario.name().contains(part)) {
                continue;
            }
            Cost before = run(scenario, warmUp);
            Cost cost = run(scenario, measured);
            System.out.printf(
                    "%-20s %10.3f %10.1f %7s %12.0f %12.0f %10d %10d%n",
                    scenario.name(),
                    cost.cpuMillis(),
                    scenario.referenceCpuMillis(),
                    scenario.referenceCpuMillis() == 0
                            ? "-"
                            : "1/" + Math.round(scenario.referenceCpuMillis() / cost.cpuMillis()),
                    cost.perSecond(),
                    scenario.referencePerSecond(),
                    before.requests(),
                    cost.requests());
        }
    }

    private Cost run(Scenario scenario, Duration duration) {
        Duration cpu = server.cpu();
        long start = time.nanoTime();
        long requests = AtOnce.run(connections, sender -> send(scenario, start + duration.toNanos())).stream()
                .mapToLong(Long::longValue)
                .sum();
        double seconds = (time.nanoTime() - start) / 1e9;
        double cpuMillis = server.cpu().minus(cpu).toNanos() / 1e6;
        return new Cost(requests, cpuMillis / requests, requests / seconds);
    }

    private long send(Scenario scenario, long end) {
        long requests = 0;
        try (RawConnection connection = new RawConnection(server.base())) {
            while (time.nanoTime() - end < 0) {
                Answer reply = connection.send(scenario.request());
                if (!scenario.right().test(reply)) {
                    throw new IllegalStateException(
                            scenario.name() + ": another answer than before: " + reply.status() + " " + reply.text());
                }
                requests++;
            }
        }
        return requests;
    }

    private byte[] get(String route) {
        return request("GET", route, "", "");
    }

    private byte[] get(String route, Account account) {
        return request("GET", route, "Authorization: " + account.basic() + "\r\n", "");
    }

    private byte[] post(String route, Account account, String body) {
        String fields = "Authorization: " + account.basic() + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n";
        return request("POST", route, fields, body);
    }

    private byte[] request(String method, String route, String fields, String body) {
        URI base = URI.create(server.base());
        String head = method + " /index.php?rest_route=" + route + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\n";
        return (head + fields + "\r\n" + body).getBytes(StandardCharsets.UTF_8);
    }

    /** The status, and the same bytes every time. */
    private static Predicate<Answer> same(int status) {
        byte[][] first = new byte[1][];
        return reply -> {
            synchronized (first) {
                if (first[0] == null) {
                    first[0] = reply.bytes();
                }
                return reply.status() == status && Arrays.equals(first[0], reply.bytes());
            }
        };
    }

    private static boolean isPublished(Answer reply) {
        return reply.status() == 201 && reply.text().contains("\"status\":\"publish\"");
    }

    /**
     * A kind of request.
     *
     * @param name what it asks for
     * @param request its bytes
     * @param right whether an answer is the right one
     * @param referenceCpuMillis what the other server spends on it; 0 where that is not known
     * @param referencePerSecond how many of them that one answers in a second, on two cores
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    private record Scenario(
            String name,
            byte[] request,
            Predicate<Answer> right,
            double referenceCpuMillis,
            double referencePerSecond) {}

    private record Cost(long requests, double cpuMillis, double perSecond) {}
}
