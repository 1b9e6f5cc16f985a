package io.github.ratelimit.content.load;

import com.sun.management.OperatingSystemMXBean;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ManyItems;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Fills a server's database with a large site and prints what each kind of request takes there: how many statements, the
 * processor time of server and sender together (without a database of its own process), the median of its time, and what one of
 * a hundred exceeds.
 *
 * <p>Arguments: the database ({@code H2} or {@code POSTGRESQL}), how many posts (100,000; a tenth as many accounts and
 * pictures, a hundredth as many terms and pages), how often each request is sent (200, after as many to warm up), and a part of the requests to send (all). Run it with
 * {@code -Xmx256m}. Answers are not kept, so that each asks the database.
 */
public final class ScaleMain {

    private static final List<String> REQUESTS = List.of(
            "posts",
            "posts&page=5000",
            "posts&per_page=100",
            "posts&orderby=title&order=asc",
            "posts&orderby=modified",
            "posts&orderby=author",
            "posts&orderby=slug&order=asc",
            "posts&orderby=id",
            "posts&author=77",
            "posts&author_exclude=77",
            "posts&after=2020-01-01T00:00:00",
            "posts&before=2020-01-01T00:00:00&page=1000",
            "posts&modified_after=2020-01-01T00:00:00",
            "posts&slug=post-many-7",
            "posts&categories=1",
            "posts&categories=31",
            "posts&categories=1&page=5000",
            "posts&categories_exclude=31",
            "posts&tags=32&categories=31&tax_relation=OR",
            "posts&sticky=true",
            "posts&sticky=false",
            "posts&format=aside",
            "posts&format=standard",
            "posts&search=nowhere",
            "posts&search=mark777",
            "posts&search=mark7",
            "posts&search=words",
            "posts&search=words&categories=31&orderby=title",
            "posts&search=mark7%20words&orderby=relevance",
            "posts&search=%22fill%20a%20post%22",
            "posts&_embed&per_page=100",
            "posts/{post}",
            "posts/{post}&_embed",
            "pages",
            "pages&orderby=menu_order&order=asc",
            "pages&search=mark77",
            "media",
            "media&media_type=image",
            "media&search=many-77",
            "media&_embed&per_page=100",
            "users",
            "users&search=writer",
            "tags",
            "tags&search=77",
            "tags&post={post}",
            "categories&orderby=count&order=desc",
            "categories&hide_empty=true");

    private static final List<String> SIGNED = List.of(
            "posts",
            "posts&status=any",
            "posts&status=any&orderby=title",
            "posts&status=draft",
            "posts&context=edit&per_page=100",
            "posts&search=words&status=any",
            "posts/{post}&context=edit",
            "posts&_embed&per_page=100",
            "media",
            "users",
            "users&orderby=registered_date",
            "users&roles=author",
            "users/me");

    private static final long WARM_UP_NANOS = 10_000_000_000L;
    private static final long MEASURED_NANOS = 30_000_000_000L;

    private final TimeSource time = TimeSource.system();
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ReferenceServer server;
    private final int rounds;
    private final long post;
    private final String part;

    private ScaleMain(ReferenceServer server, int rounds, long post, String part) {
        this.server = server;
        this.rounds = rounds;
        this.post = post;
        this.part = part;
    }

    /** Fills, measures and prints. */
    public static void main(String[] args) {
        Database kind = Database.valueOf(args.length > 0 ? args[0] : "H2");
        int posts = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 200;
        TimeSource time = TimeSource.system();
        try (ReferenceServer server = ReferenceServer.start(
                kind,
                "--content-api.cache.enabled=false",
                "--content-api.publish-interval=1h",
                // One address asks for more here than anybody does.
                "--ratelimit.limiters.searches.rules[0].permits=1000000000",
                "--ratelimit.limiters.searches.rules[0].window=1m",
                "--ratelimit.limiters.searches.rules[0].key[0]=client-address")) {
            JdbcTemplate jdbc = new JdbcTemplate(server.context().getBean(DataSource.class));
            long start = time.nanoTime();
            new ManyItems(jdbc, 40).fill(posts / 10, posts / 100, posts / 10, posts / 100, posts);
            // As a server does by itself that runs for a while.
            jdbc.execute(kind == Database.POSTGRESQL ? "vacuum analyze" : "analyze");
            long filled = time.nanoTime();
            System.out.printf("%s: %,d posts written in %.0f s%n", kind, posts, (filled - start) / 1e9);
            Long last = jdbc.queryForObject(
                    "select max(id) from item where kind = 'post' and status = 'publish'", Long.class);
            new ScaleMain(server, rounds, last == null ? 0 : last, args.length > 3 ? args[3] : "").measureAll();
        }
    }

    private void measureAll() {
        System.out.println(
                "| Request | Statements | CPU, ms | Median, ms | p99, ms | Sent |\n|---|---|---|---|---|---|");
        try (RawConnection connection = new RawConnection(server.base())) {
            for (String request : REQUESTS) {
                measure(connection, request, "");
            }
            Account admin = Accounts.standard().get("admin");
            for (String request : SIGNED) {
                measure(connection, request, "Authorization: " + admin.basic() + "\r\n");
            }
        }
    }

    private void measure(RawConnection connection, String request, String field) {
        if (!request.contains(part)) {
            return;
        }
        String path = request.replace("{post}", Long.toString(post));
        String head = "GET /index.php?rest_route=/cms/v2/" + path + " HTTP/1.1\r\nHost: "
                + URI.create(server.base()).getAuthority() + "\r\n" + field + "\r\n";
        byte[] bytes = head.getBytes(StandardCharsets.UTF_8);
        // The first ones prepare statements, and code is compiled for them.
        send(connection, bytes, WARM_UP_NANOS);
        long cpu = process.getProcessCpuTime();
        double[] millis = send(connection, bytes, MEASURED_NANOS);
        int sent = millis.length;
        int status = connection.send(bytes).status();
        double cpuMillis = (process.getProcessCpuTime() - cpu) / 1e6 / sent;
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        System.out.printf(
                "| %s`%s` | %d | %.1f | %.1f | %.1f | %d |%s%n",
                field.isEmpty() ? "" : "signed in: ",
                request,
                statements(connection, bytes),
                cpuMillis,
                sorted[sent / 2],
                sorted[Math.min(sent - 1, sent * 99 / 100)],
                sent,
                status == 200 ? "" : "  status " + status);
    }

    /** Tells how long each took, in milliseconds. What is slow is not sent for longer than it takes to see it. */
    private double[] send(RawConnection connection, byte[] request, long mostNanos) {
        double[] millis = new double[rounds];
        int sent = 0;
        long begin = time.nanoTime();
        while (sent < rounds && (sent < 5 || time.nanoTime() - begin < mostNanos)) {
            long start = time.nanoTime();
            connection.send(request);
            millis[sent++] = (time.nanoTime() - start) / 1e6;
        }
        return Arrays.copyOf(millis, sent);
    }

    private int statements(RawConnection connection, byte[] request) {
        return server.statements().during(() -> connection.send(request)).size();
    }
}
