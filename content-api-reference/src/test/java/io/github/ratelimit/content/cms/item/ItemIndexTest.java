package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.health.IndexState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** How the index of items is filled; what it finds is in the contract of statements. */
class ItemIndexTest {
    // Chosen: far above what it takes, so that what waits for ever fails the test and not the build.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimpleDriverDataSource nowhere = new SimpleDriverDataSource(new Driver(), "jdbc:h2:mem:");

    @TempDir
    private Path dir;

    /** The thread that would wait for it also publishes what is due, and erases what is over. */
    @Test
    void aFillThatIsUnderWayIsWaitedForByNoTaskAndNotDoneAgain() throws IOException, InterruptedException {
        AtomicInteger fills = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ItemIndex index = new ItemIndex(
                new NothingChanges(),
                new ItemDocuments(JdbcClient.create(nowhere)) {
                    @Override
                    List<Long> idsAfter(long id, int most) {
                        if (fills.incrementAndGet() == 1) {
                            throw new DataAccessResourceFailureException("the database is away");
                        }
                        begun.countDown();
                        await(goOn);
                        return List.of();
                    }
                },
                settings());
        index.fill();
        assertThat(index.indexState()).isEqualTo(IndexState.State.FAILING);
        index.renew();
        begun.await();
        try {
            assertThat(index.indexState()).isEqualTo(IndexState.State.FILLING);
            assertThat(CompletableFuture.runAsync(index::renew)).succeedsWithin(PATIENCE);
        } finally {
            goOn.countDown();
            index.close();
        }
        assertThat(fills).hasValue(2);
    }

    /** Nothing fills it again before the next start. */
    @Test
    void anItemThatCannotBeIndexedMakesItFail() throws IOException {
        try (ItemIndex index = new ItemIndex(
                new NothingChanges(),
                new ItemDocuments(JdbcClient.create(nowhere)) {
                    @Override
                    List<Long> idsAfter(long id, int most) {
                        throw new IllegalStateException("an item cannot be indexed");
                    }
                },
                settings())) {
            assertThat(index.indexState()).isEqualTo(IndexState.State.FILLING);
            index.fill();
            assertThat(index.indexState()).isEqualTo(IndexState.State.FAILING);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CmsSettings settings() {
        Map<String, String> set = Map.of("content-api.data-dir", dir.toString());
        return new Binder(new MapConfigurationPropertySource(set)).bindOrCreate("content-api", CmsSettings.class);
    }

    private final class NothingChanges extends ItemLog {
        NothingChanges() {
            super(JdbcClient.create(nowhere), new JdbcTransactionManager(nowhere));
        }

        @Override
        long revision() {
            return 0;
        }
    }
}
