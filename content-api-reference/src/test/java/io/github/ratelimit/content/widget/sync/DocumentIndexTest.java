package io.github.ratelimit.content.widget.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

final class DocumentIndexTest {

    private final TestClock clock = new TestClock();
    private final WidgetSettings settings = new WidgetSettings(
            new WidgetSettings.Visitor(null, Duration.ofHours(1)),
            new WidgetSettings.Widget(List.of(), Duration.ofDays(1), DataSize.ofKilobytes(1)),
            new WidgetSettings.Sync(20, DataSize.ofKilobytes(100)),
            new WidgetSettings.Provision(List.of(), List.of()));
    private final DataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private final TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(database));
    private final Workspaces workspaces = new Workspaces(clock, JdbcClient.create(database));
    private Server server;
    private Documents documents;

    /** A server's documents with an index of its own. */
    private record Server(Documents documents, DocumentIndex index, DocumentStore store) {}

    @BeforeEach
    void start() throws IOException {
        Flyway.configure().dataSource(database).load().migrate();
        workspaces.issueToken("site");
        workspaces.issueToken("other");
        server = another();
        documents = server.documents();
    }

    @AfterEach
    void stop() throws IOException {
        server.index().close();
        new JdbcTemplate(database).execute("shutdown");
    }

    private Server another() throws IOException {
        var store = new DocumentStore(JdbcClient.create(database), new NamedParameterJdbcTemplate(database));
        var index = new DocumentIndex(store);
        index.follow();
        return new Server(new Documents(clock, store, index, transactions, settings), index, store);
    }

    private static DocumentDraft draft(String id, String title, String content) {
        return new DocumentDraft(id, title, content, null);
    }

    @Test
    void theBestPassageOfEachDocumentIsFound() {
        documents.upsert(
                "site",
                List.of(
                        draft("1", "Opening hours", "The café is closed on Sundays.\nOn weekdays we open at nine."),
                        draft("2", "Menu", "Croissants, weekdays only. Weekdays are for croissants.")));

        List<Passage> found = documents.search("site", "When do you open on weekdays?", 3);
        assertThat(found).extracting(Passage::documentId).containsExactly("1", "2");
        assertThat(found.get(0).text()).isEqualTo("On weekdays we open at nine.");
        assertThat(documents.search("site", "CAFE", 3)).as("without accents").hasSize(1);
        assertThat(documents.search("site", "croissant", 3))
                .as("in the singular")
                .hasSize(1);
        assertThat(documents.search("site", "weekdays", 1)).hasSize(1);
    }

    @Test
    void aDocumentWithoutContentIsFoundByItsTitle() {
        documents.upsert("site", List.of(draft("1", "Lost property", "")));

        assertThat(documents.search("site", "property", 3))
                .extracting(Passage::text)
                .containsExactly("Lost property");
    }

    @Test
    void questionsWithoutAWordFindNothing() {
        documents.upsert("site", List.of(draft("1", "All", "What is the matter with you?")));

        assertThat(documents.search("site", "What is the", 3)).isEmpty();
        assertThat(documents.search("site", " ?! ", 3)).isEmpty();
        assertThat(documents.search("nowhere", "matter", 3)).isEmpty();
    }

    @Test
    void workspacesAreApart() {
        documents.upsert("site", List.of(draft("1", "Ours", "secret plans")));
        documents.upsert("other", List.of(draft("1", "Theirs", "public plans")));

        assertThat(documents.search("site", "plans", 3))
                .extracting(Passage::title)
                .containsExactly("Ours");
        documents.delete("site", Set.of("1"));
        assertThat(documents.search("site", "plans", 3)).isEmpty();
        assertThat(documents.search("other", "plans", 3)).hasSize(1);
    }

    @Test
    void aStartAndALaterLookShowTheChangesOfOtherServers() throws IOException {
        documents.upsert("site", List.of(draft("1", "Kept", "harbour")));
        Server second = another();
        assertThat(second.documents().search("site", "harbour", 3)).hasSize(1);

        documents.upsert("site", List.of(draft("1", "Kept", "bridge")));
        second.index().follow();
        assertThat(second.documents().search("site", "harbour", 3)).isEmpty();
        assertThat(second.documents().search("site", "bridge", 3)).hasSize(1);
        second.index().close();
    }

    /** A workspace may have thousands of documents, and change one of them every few seconds. */
    @Test
    void aLaterLookReadsTheTextsOfWhatChangedOnly() throws IOException {
        documents.upsert(
                "site",
                IntStream.range(0, 18)
                        .mapToObj(i -> draft("n" + i, "Number " + i, "harbour"))
                        .toList());
        Statements statements = new Statements();
        var watched = (DataSource) statements.postProcessAfterInitialization(database, "watched");
        var store = new DocumentStore(JdbcClient.create(watched), new NamedParameterJdbcTemplate(watched));
        try (var index = new DocumentIndex(store)) {
            var second = new Documents(clock, store, index, transactions, settings);
            assertThat(textsRead(statements, index)).isEqualTo(18);

            documents.upsert("site", List.of(draft("n3", "Changed", "bridge"), draft("new", "New", "bridge")));
            assertThat(textsRead(statements, index)).isEqualTo(2);
            assertThat(second.search("site", "bridge", 30)).hasSize(2);

            documents.delete("site", Set.of("n4"));
            assertThat(textsRead(statements, index)).isZero();
            assertThat(second.search("site", "harbour", 30)).hasSize(16);

            // One of its own between two of the other server, which takes it back.
            documents.upsert("site", List.of(draft("n6", "Other", "tower")));
            second.upsert("site", List.of(draft("n5", "Own", "tower")));
            documents.upsert("site", List.of(draft("n5", "Number 5", "harbour")));
            assertThat(textsRead(statements, index)).isEqualTo(2);
            assertThat(second.search("site", "tower", 30))
                    .extracting(Passage::documentId)
                    .containsExactly("n6");
            assertThat(textsRead(statements, index)).as("nothing has changed").isZero();
        }
    }

    private static long textsRead(Statements statements, DocumentIndex index) {
        return statements.during(index::follow).stream()
                .map(Statements.Ran::work)
                .filter(work -> work.contains("content"))
                .mapToLong(work -> Long.parseLong(work.replaceAll("(?s).*-> (\\d+) rows", "$1")))
                .sum();
    }

    @Test
    void aChangeIsFoundWhenItsOuterTransactionHasEnded() {
        transactions.executeWithoutResult(status -> {
            documents.upsert("site", List.of(draft("1", "Part", "meteor")));
            assertThat(documents.search("site", "meteor", 3)).isEmpty();
        });
        assertThat(documents.search("site", "meteor", 3)).hasSize(1);

        transactions.executeWithoutResult(status -> {
            documents.upsert("site", List.of(draft("2", "Failed", "comet")));
            status.setRollbackOnly();
        });
        assertThat(documents.find("site", "2")).isEmpty();
        assertThat(documents.search("site", "comet", 3)).isEmpty();
    }

    /** A transaction of H2 holds the lock of all writers, and an index of ten thousand documents takes seconds. */
    @Test
    void theIndexIsMadeWithoutATransaction() throws IOException {
        List<Boolean> looks = new ArrayList<>();
        var store = new DocumentStore(JdbcClient.create(database), new NamedParameterJdbcTemplate(database)) {
            @Override
            List<Document> find(String workspace, Collection<String> ids) {
                looks.add(TransactionSynchronizationManager.isActualTransactionActive());
                return super.find(workspace, ids);
            }
        };
        try (var index = new DocumentIndex(store)) {
            var watched = new Documents(clock, store, index, transactions, settings);
            watched.reconcile("site", List.of(draft("1", "Part", "meteor")));
            assertThat(watched.search("site", "meteor", 3)).hasSize(1);
            assertThat(looks).containsExactly(false);

            watched.reconcile("site", List.of(draft("1", "Part", "meteor")));
            assertThat(looks).as("nothing has changed").hasSize(1);
            assertThat(store.revisions()).containsEntry("site", 1L);
        }
    }

    @Test
    void tokensAreStoredAsHashesAndProveTheirWorkspace() {
        String token = workspaces.issueToken("site");
        assertThat(workspaces.authenticate(token))
                .map(Workspaces.Token::workspaceId)
                .contains("site");
        assertThat(workspaces.authenticate(token.substring(1))).isEmpty();
        workspaces.accept("site", token);

        String stored = new JdbcTemplate(database)
                .queryForList("select * from sync_workspace_token")
                .toString();
        assertThat(stored).doesNotContain(token.substring(4));
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

        assertThatThrownBy(() -> documents.upsert("site", many))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("20 documents");
        assertThat(server.store().kept("site").documents()).isZero();
        documents.upsert("site", List.of(draft("a", "A", long60)));
        assertThatThrownBy(() -> documents.upsert("site", List.of(draft("b", "B", long60))))
                .isInstanceOf(ApiException.class);
        assertThat(documents.reconcile("site", List.of(draft("b", "B", long60))))
                .as("one in the place of the other")
                .isEqualTo(new Documents.Result(1, 0, 0, 1));
        documents.upsert("other", List.of(draft("a", "A", long60)));
        assertThat(documents.upsert("site", List.of(draft("b", "B", "short"))))
                .isEqualTo(new Documents.Result(0, 1, 0, 0));
        assertThat(documents.upsert("site", List.of(draft("b", "B", "short"))))
                .isEqualTo(new Documents.Result(0, 0, 1, 0));
        assertThat(server.store().kept("site")).isEqualTo(new DocumentStore.Kept(1, 6));
    }
}
