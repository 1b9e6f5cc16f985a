package io.github.ratelimit.content.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.ServerProcess;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The packaged server keeps its word when it is killed while eight writers are at work and others upload pictures, and is soon
 * back: no item is without its file, and no file is served half written.
 */
@EnabledIfSystemProperty(named = "full", matches = "true")
final class KilledServerIT {

    private static final int KILLS = 20;
    private static final int WRITERS = 8;
    private static final int WRITES = 40;
    private static final int UPLOADERS = 4;

    /** How many times the processor time of the first start a start after a kill may take. */
    private static final int TIMES = 2;

    private final TimeSource time = TimeSource.system();
    private final Set<String> uploaded = new HashSet<>();

    @Test
    void noAcknowledgedWriteIsLost(@TempDir Path dataDirectory) throws Exception {
        Random moments = new Random(20_261_120L);
        List<Writer> writers = new ArrayList<>();
        ServerProcess server = ServerProcess.startJar(time, dataDirectory, ServerProcess.SHORT_LIVED);
        Duration first = server.cpu();
        try {
            for (int kill = 1; kill <= KILLS; kill++) {
                Duration moment = Duration.ofMillis(500 + moments.nextInt(1_500));
                writers.addAll(writeUntil(server, kill, moment, ServerProcess::kill));
                server = ServerProcess.startJar(time, dataDirectory, ServerProcess.SHORT_LIVED);
                Duration spent = server.cpu();

                Map<Long, String> titles = titles(new SiteClient(server.base()));
                System.out.printf(
                        "kill %d: %d acknowledged writes so far, %d items, back after %d ms, %d of a processor%n",
                        kill,
                        writers.stream().mapToInt(Writer::writes).sum(),
                        titles.size(),
                        server.started().toMillis(),
                        spent.toMillis());
                assertThat(writers.stream().flatMap(writer -> writer.losses(titles).stream()))
                        .isEmpty();
                assertThat(spent).isLessThan(first.multipliedBy(TIMES));
                SiteClient site = new SiteClient(server.base());
                assertThat(Uploader.checkItems(site)).containsAll(uploaded);
                Uploader.checkFiles(site, dataDirectory.resolve("uploads"));
            }
            assertThat(writeUntil(server, KILLS + 1, Duration.ZERO, ServerProcess::end).stream()
                            .flatMap(writer -> writer.rejections().stream()))
                    .as("what is under way when the server is told to end is answered")
                    .isEmpty();
        } finally {
            server.close();
        }
        assertThat(writers.stream().mapToInt(Writer::writes).sum())
                .as("acknowledged writes; with few of them this test would show little")
                .isGreaterThanOrEqualTo(KILLS * WRITES);
        assertThat(uploaded.size()).as("acknowledged uploads").isGreaterThanOrEqualTo(UPLOADERS * KILLS / 4);
    }

    private List<Writer> writeUntil(ServerProcess server, int round, Duration moment, Consumer<ServerProcess> end)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + UPLOADERS);
        try {
            SiteClient site = new SiteClient(server.base());
            List<Writer> all = IntStream.range(0, WRITERS)
                    .mapToObj(i -> new Writer(site.as("author"), "writer " + round + "." + i, round * 100L + i))
                    .toList();
            List<Future<Writer>> running = all.stream().map(threads::submit).toList();
            List<Future<List<String>>> uploading = new ArrayList<>();
            for (int i = 0; i < UPLOADERS; i++) {
                uploading.add(threads.submit(new Uploader(site)));
            }
            // A machine that is busy, or a server that is cold, takes longer to get to work.
            do {
                server.runFor(moment);
            } while (all.stream().mapToInt(Writer::writes).sum() < WRITES
                    && running.stream().noneMatch(Future::isDone));
            end.accept(server);
            List<Writer> writers = new ArrayList<>();
            for (Future<Writer> writer : running) {
                writers.add(writer.get());
            }
            for (Future<List<String>> uploads : uploading) {
                uploaded.addAll(uploads.get());
            }
            return writers;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Map<Long, String> titles(SiteClient site) {
        Map<Long, String> titles = new HashMap<>();
        int pages = 1;
        for (int page = 1; page <= pages; page++) {
            Answer answer = site.as("admin")
                    .get("/cms/v2/posts?context=edit&status=any&orderby=id&per_page=100"
                            + "&_fields=id,title,content&page=" + page);
            pages = answer.header("X-WP-TotalPages").map(Integer::parseInt).orElse(0);
            for (JsonNode item : answer.json()) {
                String title = item.at("/title/raw").asString();
                titles.put(item.path("id").longValue(), title);
                assertThat(item.at("/content/raw").asString())
                        .as("the text that was written with the title")
                        .isEqualTo(Writer.content(title));
            }
        }
        return titles;
    }
}
