package io.github.ratelimit.content.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.contract.TestClock;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The index and the database tell the same, whoever wrote and in whatever order it was heard of. */
final class DocumentIndexTest {

    private final TestClock clock = new TestClock();
    private DriverManagerDataSource database;
    private Workspaces workspaces;
    private Server server;

    /** A server's documents with an index of its own. */
    private record Server(Documents documents, DocumentIndex index, DocumentStore store) {}

    @BeforeEach
    void start() {
        database = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new ResourceDatabasePopulator(new ClassPathResource("db/migration/V050__widget_and_sync.sql"))
                .execute(database);
        workspaces = new Workspaces(clock, new WorkspaceStore(JdbcClient.create(database)));
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
        var index = new DocumentIndex(store, new WorkspaceStore(jdbc));
        index.rebuild();
        var transactions = new TransactionTemplate(new JdbcTransactionManager(database));
        return new Server(new Documents(clock, store, index, transactions), index, store);
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
    void changesThatOvertakeEachOtherEndAsTheDatabaseHasThem() {
        server.documents().upsert("site", List.of(draft("1", "One", "lantern")));
        long revision = server.store().revision("site");
        Document before = server.store().find("site", "1").orElseThrow();
        server.documents().upsert("site", List.of(draft("1", "One", "beacon")));

        server.index().apply("site", revision, List.of(before), Set.of()); // heard of late
        assertThat(server.documents().search("site", "lantern", 3)).isEmpty();
        server.index().apply("site", revision + 9, List.of(before), Set.of()); // something in between is missing
        assertThat(server.documents().search("site", "lantern", 3)).isEmpty();
        assertThat(server.documents().search("site", "beacon", 3)).hasSize(1);
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

    private static DocumentDraft draft(String id, String title, String content) {
        return new DocumentDraft(id, title, content, null);
    }
}
