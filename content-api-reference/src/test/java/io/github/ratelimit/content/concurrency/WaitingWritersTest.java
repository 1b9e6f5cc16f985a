package io.github.ratelimit.content.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Whoever writes slowly leaves workers, and connections, to those who read. */
final class WaitingWritersTest {
    private static final int WORKERS = 12;
    private static final int PLACES = 4;
    private static final int WRITERS = 2 * WORKERS;

    private final Account admin = Accounts.standard().get("admin");
    private final Account author = Accounts.standard().get("author");
    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        clients.shutdownNow();
    }

    /** One that writes holds all that others want to write, one item or each one of its own: PostgreSQL lets some of them as far as its rows. */
    @ParameterizedTest
    @CsvSource({"H2, 4, 4", "POSTGRESQL, 4, 4"})
    void readersAreServedWhileWritersWait(Database database, int waitingForOne, int waitingForMany) {
        try (ReferenceServer server = ReferenceServer.start(
                database,
                "--server.tomcat.threads.max=" + WORKERS,
                "--spring.datasource.hikari.maximum-pool-size=6",
                "--spring.jdbc.template.query-timeout=10m", // longer than this test takes
                "--content-api.requests.max-queued=" + PLACES)) {
            SiteClient site = new SiteClient(server.base());
            List<String> posts = IntStream.range(0, WRITERS)
                    .mapToObj(i -> change(site, "/cms/v2/posts", "{\"title\": \"Held\", \"status\": \"publish\"}"))
                    .map(made -> "/cms/v2/posts/" + made.json().path("id").longValue())
                    .toList();

            readersAreServed(server, site, Collections.nCopies(WRITERS, posts.get(0)), waitingForOne);
            readersAreServed(server, site, posts, waitingForMany);

            // Whoever waited gave the place back.
            readersAreServed(server, site, posts, waitingForMany);
        }
    }

    private void readersAreServed(ReferenceServer server, SiteClient site, List<String> posts, int waiting) {
        JdbcClient rows = server.context().getBean(JdbcClient.class);
        rows.sql("update application_password set last_used_at = null").update();
        Gauge queued = server.context()
                .getBean(MeterRegistry.class)
                .get("content.requests.queued")
                .gauge();
        TransactionTemplate writer = server.context().getBean(TransactionTemplate.class);

        List<CompletableFuture<Answer>> written = writer.execute(transaction -> {
            rows.sql("update item set version = version where kind = 'post'").update();
            List<CompletableFuture<Answer>> sent = new ArrayList<>();
            for (String post : posts) {
                sent.add(CompletableFuture.supplyAsync(() -> change(site, post, "{\"title\": \"Written\"}"), clients));
                // Those that have the places come first: one without would take a turn that is free, and keep it.
                while (sent.size() <= waiting && queued.value() < sent.size()) {
                    Thread.onSpinWait();
                }
            }
            while (answered(sent) < WRITERS - waiting) {
                Thread.onSpinWait();
            }

            assertThat(site.call("GET", posts.get(0)).send().status()).isEqualTo(200);
            // For the first time of a day, which is noted.
            assertThat(site.call("GET", posts.get(0)).as(author).send().status())
                    .isEqualTo(200);
            assertThat(answered(sent)).isEqualTo(WRITERS - waiting);
            return sent;
        });

        List<Answer> answers = written.stream().map(CompletableFuture::join).toList();
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(waiting);
        assertThat(answers).filteredOn(answer -> answer.status() != 200).allSatisfy(refused -> {
            assertThat(refused.status()).as(refused.text()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).contains("5");
            assertThat(refused.text()).contains("\"rest_unavailable\"");
        });
    }

    private static long answered(List<CompletableFuture<Answer>> requests) {
        return requests.stream().filter(CompletableFuture::isDone).count();
    }

    private Answer change(SiteClient site, String route, String fields) {
        return site.call("POST", route).as(admin).json(Json.read(fields)).send();
    }
}
