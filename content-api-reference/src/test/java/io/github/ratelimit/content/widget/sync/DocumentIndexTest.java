package io.github.ratelimit.content.widget.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.shared.container.UnavailableException;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;

/** The index and the database tell the same, whoever wrote and in whatever order it was heard of. */
final class DocumentIndexTest {

    private static final WidgetSettings QUOTA = new Binder(new MapConfigurationPropertySource(
                    Map.of("content-api.sync.max-documents", "20", "content-api.sync.max-size", "100KB")))
            .bind("content-api", WidgetSettings.class)
            .get();

    private final TestClock clock = new TestClock();

    @TempDir
    Path files;

    private final Statements statements = new Statements();
    private long counted;
    private boolean isFull;
    private DataSource database;
    private Workspaces workspaces;
    private Server server;

    /** A server's documents with an index of its own. */
    private record Server(Documents documents, DocumentIndex index, DocumentStore store) {}

    @BeforeEach
    void start() {
        database = (DataSource) statements.postProcessAfterInitialization(
                new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"), "database");
        Flyway.configure().dataSource(database).load().migrate();
        workspaces = new Workspaces(
                clock,
                new WorkspaceStore(JdbcClient.create(database)),
                new TransactionTemplate(new JdbcTransactionManager(database)));
        workspaces.issueToken("site");
        workspaces.issueToken("other");
        server = another();
    }

    @AfterEach
    void stop() throws IOException {
        server.index().close();
        new JdbcTemplate(database).execute("shutdown");
    }

    private Server another() {
        var jdbc = JdbcClient.create(database);
        var store = new DocumentStore(jdbc, new NamedParameterJdbcTemplate(database));
        var index = new DocumentIndex(store, new WorkspaceStore(jdbc), files);
        index.rebuild();
        var transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        return new Server(new Documents(clock, store, index, transactions, this::take, QUOTA), index, store);
    }

    @Test
    void theBestPassageOfEachDocumentIsFound() {
        server.documents()
                .upsert(
                        "site",
                        List.of(
                                draft(
                                        "1",
                                        "Opening hours",
                                        "The café is closed on Sundays.\nOn weekdays we open at nine."),
                                draft("2", "Menu", "Croissants, weekdays only. Weekdays are for croissants.")));

        List<Passage> found = server.documents().search("site", "When do you open on weekdays?", 3);
        assertThat(found).extracting(Passage::documentId).containsExactly("1", "2");
        assertThat(found.get(0).text()).isEqualTo("On weekdays we open at nine.");
        assertThat(server.documents().search("site", "CAFE", 3))
                .as("without accents")
                .hasSize(1);
        assertThat(server.documents().search("site", "croissant", 3))
                .as("in the singular")
                .hasSize(1);
        assertThat(server.documents().search("site", "weekdays", 1)).hasSize(1);
    }

    /** As on a disk that was full for a while: what is stored is found again, and nobody has to start the server anew. */
    @Test
    void anIndexWhoseFilesFailedIsMadeAnew() throws IOException {
        server.documents().upsert("site", List.of(draft("1", "Lost property", "")));
        server.documents().upsert("other", List.of(draft("1", "Lost and found", "")));
        FileSystemUtils.deleteRecursively(files.resolve("search-index"));

        server.documents().upsert("site", List.of(draft("2", "Found property", "")));
        server.index().isUpToDate("site");
        server.index().renew();

        assertThat(server.documents().search("site", "property", 3))
                .extracting(Passage::documentId)
                .containsExactlyInAnyOrder("1", "2");
        assertThat(server.documents().search("other", "found", 3)).hasSize(1);
    }

    @Test
    void aDocumentWithoutContentIsFoundByItsTitle() {
        server.documents().upsert("site", List.of(draft("1", "Lost property", "")));

        assertThat(server.documents().search("site", "property", 3))
                .extracting(Passage::text)
                .containsExactly("Lost property");
    }

    @Test
    void questionsWithoutAWordFindNothing() {
        server.documents().upsert("site", List.of(draft("1", "All", "What is the matter with you?")));

        assertThat(server.documents().search("site", "What is the", 3)).isEmpty();
        assertThat(server.documents().search("site", " ?! ", 3)).isEmpty();
        assertThat(server.documents().search("nowhere", "matter", 3)).isEmpty();
    }

    @Test
    void workspacesAreApart() {
        server.documents().upsert("site", List.of(draft("1", "Ours", "secret plans")));
        server.documents().upsert("other", List.of(draft("1", "Theirs", "public plans")));

        assertThat(server.documents().search("site", "plans", 3))
                .extracting(Passage::title)
                .containsExactly("Ours");
        server.documents().delete("site", Set.of("1"));
        assertThat(server.documents().search("site", "plans", 3)).isEmpty();
        assertThat(server.documents().search("other", "plans", 3))
                .extracting(Passage::title)
                .containsExactly("Theirs");
    }

    @Test
    void aStartShowsWhatIsStored() throws IOException {
        server.documents().upsert("site", List.of(draft("1", "Kept", "harbour")));

        Server restarted = another();
        assertThat(restarted.index().search("site", "harbour", 3)).hasSize(1);
        restarted.index().close();
    }

    @Test
    void whatAnotherServerWroteIsSeen() throws IOException {
        Server second = another();
        server.documents().upsert("site", List.of(draft("1", "One", "anchor"), draft("2", "Two", "anchor")));
        assertThat(second.documents().search("site", "anchor", 3)).hasSize(2);

        second.documents().delete("site", Set.of("1"));
        second.documents().upsert("site", List.of(draft("3", "Three", "anchor")));
        assertThat(server.documents().search("site", "anchor", 3))
                .extracting(Passage::documentId)
                .containsExactlyInAnyOrder("2", "3");
        second.index().close();
    }

    @Test
    void onlyWhatChangedIsReadAgain() throws IOException {
        server.documents().upsert("site", List.of(draft("1", "One", "lantern"), draft("2", "Two", "lantern")));
        var jdbc = JdbcClient.create(database);
        var wholeReads = new AtomicInteger();
        var counting = new DocumentStore(jdbc, new NamedParameterJdbcTemplate(database)) {
            @Override
            List<Document> after(String workspace, String id, int limit) {
                wholeReads.incrementAndGet();
                return super.after(workspace, id, limit);
            }
        };
        try (var index = new DocumentIndex(counting, new WorkspaceStore(jdbc), files)) {
            index.start();
            awaitRead(index, "site");
            int atTheStart = wholeReads.get();

            server.documents().upsert("site", List.of(draft("2", "Two", "beacon")));
            server.documents().upsert("site", List.of(draft("2", "Two", "beacon"))); // a change of nothing
            server.documents().delete("site", Set.of("1"));
            server.documents().reconcile("site", List.of(draft("2", "Two", "beacon"), draft("3", "Three", "lantern")));
            assertThat(index.search("site", "lantern", 3))
                    .extracting(Passage::documentId)
                    .containsExactly("3");
            assertThat(index.search("site", "beacon", 3)).hasSize(1);
            assertThat(wholeReads).hasValue(atTheStart);

            for (int i = 0; i <= 100; i++) {
                server.documents().upsert("site", List.of(draft("4", "Four", "meteor number" + i)));
            }
            awaitRead(index, "site");
            assertThat(index.search("site", "number100", 3)).hasSize(1);
            assertThat(index.search("site", "number99", 3)).isEmpty();
            assertThat(wholeReads).as("more changed than is remembered").hasValueGreaterThan(atTheStart);
        }
    }

    @Test
    void aChangeWithinALargerOneIsFoundWhenThatIsWhole() {
        var larger = new TransactionTemplate(new JdbcTransactionManager(database));
        larger.executeWithoutResult(status -> {
            server.documents().upsert("site", List.of(draft("1", "One", "meteor")));
            status.setRollbackOnly();
        });
        assertThat(server.documents().search("site", "meteor", 3)).isEmpty();

        larger.executeWithoutResult(status -> server.documents().upsert("site", List.of(draft("1", "One", "meteor"))));
        assertThat(server.documents().search("site", "meteor", 3)).hasSize(1);
    }

    @Test
    void aFailedChangeLeavesNoTrace() {
        var tooLong = new DocumentDraft("2", "x".repeat(501), "comet", null);
        assertThatThrownBy(() -> server.documents().reconcile("site", List.of(draft("1", "One", "comet"), tooLong)))
                .isInstanceOf(DataAccessException.class);

        assertThat(server.documents().find("site", "1")).isEmpty();
        assertThat(server.documents().search("site", "comet", 3)).isEmpty();
    }

    @Test
    void tokensAreStoredAsHashesAndProveTheirWorkspace() {
        String token = workspaces.issueToken("site");
        assertThat(workspaces.authenticate(token))
                .map(WorkspaceToken::workspaceId)
                .contains("site");
        assertThat(workspaces.authenticate(token.substring(1))).isEmpty();
        workspaces.accept("site", token);
        assertThat(workspaces.authenticate(token)).isPresent();

        String stored = new JdbcTemplate(database)
                .queryForList("select * from sync_workspace_token")
                .toString();
        assertThat(stored).doesNotContain(token).doesNotContain(token.substring(4));
        assertThatThrownBy(() -> workspaces.accept("other", token))
                .hasMessage(
                        "token of workspace 'other' belongs to workspace 'site' already; give each workspace its own");
        assertThatThrownBy(() -> workspaces.accept("a/b", "token")).hasMessageContaining("was 'a/b'");
        assertThatThrownBy(() -> workspaces.accept("site", " token")).hasMessageNotContaining(" token'");
    }

    @Test
    void aWorkspaceKeepsNoMoreThanItsQuotaAndMayAlwaysKeepLess() {
        List<DocumentDraft> many = IntStream.range(0, 21)
                .mapToObj(i -> draft("n" + i, "One", "many"))
                .toList();
        String long60 = "x".repeat(60 * 1024);

        assertThatThrownBy(() -> server.documents().upsert("site", many))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(HttpStatus.CONTENT_TOO_LARGE))
                .hasMessageContaining("20 documents");
        assertThat(server.store().kept("site").documents()).isZero();
        server.documents().upsert("site", List.of(draft("a", "A", long60)));
        assertThatThrownBy(() -> server.documents().upsert("site", List.of(draft("b", "B", long60))))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() ->
                        server.documents().reconcile("site", List.of(draft("a", "A", long60), draft("b", "B", long60))))
                .isInstanceOf(ApiException.class);
        assertThat(server.documents().reconcile("site", List.of(draft("b", "B", long60))))
                .as("one in the place of the other")
                .isEqualTo(new SyncResult(1, 0, 0, 1));
        server.documents().upsert("other", List.of(draft("a", "A", long60)));
        assertThat(server.documents().upsert("site", List.of(draft("b", "B", "short"))))
                .isEqualTo(new SyncResult(0, 1, 0, 0));
        assertThat(server.documents().upsert("site", List.of(draft("b", "B", "short"))))
                .isEqualTo(new SyncResult(0, 0, 1, 0));
        assertThat(server.store().kept("site")).isEqualTo(new DocumentStore.Kept(1, 6));
    }

    @Test
    void oneWorkspacesWorkKeepsNobodyElseWaiting() throws Exception {
        List<String> all = List.of("other", "site", "third", "wanted");
        for (String workspace : all) {
            workspaces.issueToken(workspace);
            server.documents().upsert(workspace, List.of(draft("1", "One", "anchor")));
        }
        // As after a start of a server that remembers no change of theirs.
        new JdbcTemplate(database).update("delete from sync_change");
        var atWork = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        List<String> read = new CopyOnWriteArrayList<>();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        var slow = new DocumentStore(JdbcClient.create(database), new NamedParameterJdbcTemplate(database)) {
            @Override
            List<Document> after(String workspace, String id, int limit) {
                threads.add(Thread.currentThread().getName());
                if (id.isEmpty()) {
                    read.add(workspace);
                }
                if (workspace.equals("site")) {
                    atWork.countDown();
                    awaitQuietly(goOn);
                }
                return super.after(workspace, id, limit);
            }
        };
        try (var index = new DocumentIndex(slow, new WorkspaceStore(JdbcClient.create(database)), files)) {
            index.start();
            atWork.await();

            try {
                server.documents().upsert("other", List.of(draft("2", "Two", "anchor")));
                assertTimeoutPreemptively(
                        Duration.ofSeconds(60),
                        () -> assertThat(index.search("other", "anchor", 3)).hasSize(2));
                // Nor does the work that keeps the index keep those who ask, whose workspace is the next.
                for (String behind : List.of("site", "wanted")) {
                    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                        assertThat(index.search(behind, "anchor", 3)).isEmpty();
                        assertThatThrownBy(() -> index.idsWith(behind, "anchor", null))
                                .isInstanceOfSatisfying(
                                        ApiException.class,
                                        refusal ->
                                                assertThat(refusal.status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE));
                        index.changed(behind);
                        assertThat(index.isUpToDate(behind)).isFalse();
                    });
                }
            } finally {
                goOn.countDown();
            }
            for (String workspace : all) {
                awaitRead(index, workspace);
                assertThat(index.search(workspace, "anchor", 3)).as(workspace).isNotEmpty();
            }
        }
        assertThat(threads).containsExactly("search-index");
        assertThat(read).containsExactly("other", "site", "wanted", "third");
    }

    @Test
    void aFaultOfOneWorkspaceKeepsNoOtherFromBeingRead() throws Exception {
        for (String workspace : List.of("broken", "site")) {
            workspaces.issueToken(workspace);
            server.documents().upsert(workspace, List.of(draft("1", "One", "anchor")));
        }
        new JdbcTemplate(database).update("delete from sync_change");
        var failing = new DocumentStore(JdbcClient.create(database), new NamedParameterJdbcTemplate(database)) {
            @Override
            List<Document> after(String workspace, String id, int limit) {
                if (workspace.equals("broken")) {
                    throw new InternalError("a page cannot be read");
                }
                return super.after(workspace, id, limit);
            }
        };
        try (var index = new DocumentIndex(failing, new WorkspaceStore(JdbcClient.create(database)), files)) {
            index.start();
            awaitRead(index, "site");

            assertThat(index.search("site", "anchor", 3)).isNotEmpty();
        }
    }

    /** As on another server than the one that took a hundred long documents. */
    @Test
    void whoAsksDoesNotReadMuchForAll() throws IOException {
        var defaults =
                new Binder(new MapConfigurationPropertySource()).bindOrCreate("content-api", WidgetSettings.class);
        Server second = another();
        var transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        new Documents(clock, server.store(), server.index(), transactions, this::take, defaults)
                .upsert(
                        "site",
                        IntStream.range(0, 6)
                                .mapToObj(i -> draft("n" + i, "", "anchor ".repeat(28_000)))
                                .toList());
        assertThat(server.index().search("site", "anchor", 3))
                .as("where they were changed")
                .isNotEmpty();

        assertThat(second.index().search("site", "anchor", 3)).isEmpty();
        second.index().rebuild();

        assertThat(second.index().search("site", "anchor", 3)).isNotEmpty();
        second.index().close();
    }

    private static void awaitRead(DocumentIndex index, String workspace) {
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            boolean isRead = false;
            while (!isRead) {
                isRead = index.isUpToDate(workspace); // which waits
            }
        });
    }

    /** A page of the longest documents is forty megabytes, and a crowd of them more than the memory. */
    @Test
    void aPageOfDocumentsIsCountedBeforeItIsRead() {
        server.documents()
                .upsert("site", List.of(draft("2", "Two", "anchor"), draft("1", "One", "anchor"), draft("3", "", "x")));
        var all = new DocumentFilter("", null);
        assertThat(server.documents().list("site", all, new Slice(1, 2)).items())
                .extracting(Document::id)
                .containsExactly("1", "2");
        assertThat(counted).isEqualTo(18);
        counted = 0;
        assertThat(server.documents()
                        .list("site", new DocumentFilter("anchor", null), new Slice(2, 1))
                        .items())
                .extracting(Document::id)
                .containsExactly("2");
        assertThat(counted).isEqualTo(9);
        counted = 0;
        server.documents().count("site", 20);
        assertThat(counted).isEqualTo(19);

        isFull = true;
        for (String search : List.of("", "anchor")) {
            List<Statements.Ran> ran = statements.during(() -> assertThatThrownBy(() -> server.documents()
                            .list("site", new DocumentFilter(search, Instant.EPOCH), new Slice(1, 100)))
                    .isInstanceOf(UnavailableException.class));
            assertThat(ran).isNotEmpty().noneMatch(one -> one.sql().contains("content"));
        }
    }

    /** The embedded database read all that was left of a workspace for each of its pages, and sorted it: to fill the index took that many times as long. */
    @Test
    void noPageOfDocumentsIsFoundByReadingAll() throws SQLException {
        int many = 500;
        new JdbcTemplate(database)
                .update(
                        "insert into sync_document (workspace_id, id, title, content, size, created_at, updated_at)"
                                + " select 'site', 'd' || x, '', 'text', 4, now(), now() from system_range(1, ?)",
                        many);

        List<Statements.Ran> ran = statements.during(() -> {
            assertThat(server.documents()
                            .list("site", new DocumentFilter("", null), new Slice(2, 10))
                            .items())
                    .hasSize(10);
            assertThat(server.documents().after("site", "d1", 10)).hasSize(10);
            assertThat(server.store().known("site", List.of("d1", "d2"))).hasSize(2);
        });

        try (Connection connection = database.getConnection()) {
            for (Statements.Ran one : ran) {
                if (!one.sql().contains("count(*)")) {
                    assertThat(one.plan(connection).read()).as(one.sql()).isLessThan(many / 2);
                }
            }
        }
    }

    private void take(long characters) {
        counted += characters;
        if (isFull) {
            throw UnavailableException.busy("full");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static DocumentDraft draft(String id, String title, String content) {
        return new DocumentDraft(id, title, content, null);
    }
}
