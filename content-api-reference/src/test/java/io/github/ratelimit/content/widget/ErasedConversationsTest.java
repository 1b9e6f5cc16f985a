package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.shared.storage.Unbounded;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.test.TestClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.SqlProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Visitors leave any number of things within the limits, and no erasure may fail for it, or keep others who write waiting. */
final class ErasedConversationsTest {
    private static final int MANY = Pieces.ROWS + 1;
    private static final ServerKey KEY = ServerKey.of("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
    private static final String MANY_ROWS = " from system_range(1, " + MANY + ")";

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private final List<String> changes = new ArrayList<>();
    private final JdbcTemplate statements = new JdbcTemplate(database) {
        @Override
        protected int update(PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
            int rows = super.update(statement, values);
            if (rows > 0) {
                String sql = Objects.requireNonNull(((SqlProvider) statement).getSql());
                changes.add(sql.replaceAll("(?s)delete from (\\w+).*", "$1 ") + rows);
            }
            return rows;
        }
    };
    private final TestClock clock = new TestClock();

    @BeforeEach
    void migrate() {
        Flyway.configure().dataSource(database).load().migrate();
    }

    @AfterEach
    void stop() {
        new JdbcTemplate(database).execute("shutdown");
    }

    @Test
    void noStatementTakesAllThatIsInAConversation() {
        UUID conversation = UUID.randomUUID();
        UUID message = UUID.randomUUID();
        Object now = clock.instant().atOffset(ZoneOffset.UTC);
        JdbcTemplate given = new JdbcTemplate(database);
        given.update("insert into sync_workspace (id, revision, created_at) values ('site', 0, ?)", now);
        given.update(
                "insert into widget_conversation (id, status, created_at, updated_at) values (?, 'open', ?, ?)",
                conversation,
                now,
                now);
        String messages = "insert into widget_message (id, conversation_id, author, text, created_at)";
        given.update(messages + " values (?, ?, 'visitor', 'one that is rated often', ?)", message, conversation, now);
        given.update(messages + " select random_uuid(), ?, 'visitor', 'text', ?" + MANY_ROWS, conversation, now);
        given.update(
                "insert into widget_feedback (id, message_id, created_at) select random_uuid(), ?, ?" + MANY_ROWS,
                message,
                now);
        given.update(
                "insert into widget_event (id, conversation_id, name, properties, created_at)"
                        + " select random_uuid(), ?, 'name', '{}', ?" + MANY_ROWS,
                conversation,
                now);
        given.update(
                "insert into widget_lead (id, conversation_id, email, created_at)"
                        + " select random_uuid(), ?, 'a@example.org', ?" + MANY_ROWS,
                conversation,
                now);
        String ratings =
                "insert into widget_rating (id, conversation_id, rating, created_at) select random_uuid(), ?, 5, ?";
        given.update(ratings + MANY_ROWS, conversation, now);
        given.update(ratings + MANY_ROWS, null, now);
        String coupons =
                "insert into workspace_coupon_application (id, workspace_id, conversation_id, code, description,"
                        + " discount_type, amount, applied_at) select random_uuid(), 'site', ?, 'A', '', 'percent', 5, ?";
        given.update(coupons + MANY_ROWS, conversation, now);
        given.update(coupons + MANY_ROWS, null, now);
        given.update(
                "insert into repeated_request (caller, request_key, fingerprint, started_at) select ?, x, 'f', ?"
                        + MANY_ROWS,
                KEY.sign("caller of repeated requests", new VisitorSession(conversation).caller()),
                clock.instant().plus(Duration.ofDays(181)).atOffset(ZoneOffset.UTC));
        clock.advance(Duration.ofDays(181));

        assertThat(sweeper().sweepAll()).isEqualTo(2 * MANY + 1);

        String all = String.valueOf(Pieces.ROWS);
        assertThat(changes)
                .containsExactly(
                        "widget_rating " + all,
                        "widget_rating 1",
                        "workspace_coupon_application " + all,
                        "workspace_coupon_application 1",
                        "widget_feedback " + all,
                        "widget_feedback 1",
                        "widget_message " + all,
                        "widget_message 2",
                        "widget_event " + all,
                        "widget_event 1",
                        "widget_lead " + all,
                        "widget_lead 1",
                        "widget_rating " + all,
                        "widget_rating 1",
                        "workspace_coupon_application " + all,
                        "workspace_coupon_application 1",
                        "repeated_request " + all,
                        "repeated_request 1",
                        "widget_conversation 1");
    }

    /** They are those of half a year: one statement for all of them reached its time limit, and nothing was erased any more. */
    @Test
    void whatIsKeptIsLookedAtOnceAndNotAllAtATime() throws SQLException {
        Statements watched = new Statements();
        DataSource source = (DataSource) watched.postProcessAfterInitialization(database, "database");
        RetentionSweeper sweeper = sweeper(new JdbcTemplate(source));
        int many = 5 * RetentionSweeper.LOOKED_AT;
        addConversations(many);
        addEvents();
        addLoose(many);
        addConversations(2);
        clock.advance(Duration.ofDays(3));

        AtomicInteger erased = new AtomicInteger();
        List<Statements.Ran> first = watched.during(() -> erased.set(sweeper.sweepAll()));
        List<Statements.Ran> second = watched.during(() -> erased.addAndGet(sweeper.sweepAll()));

        assertThat(erased).hasValue(2);
        try (Connection connection = database.getConnection()) {
            for (Statements.Ran ran : first) {
                assertThat(ran.plan(connection).read()).as(ran.sql()).isLessThan(many / 2);
            }
            for (Statements.Ran ran : second) {
                assertThat(ran.plan(connection).read()).as(ran.sql()).isLessThan(10);
            }
        }
        clock.advance(Duration.ofDays(180));
        assertThat(sweeper.sweepAll()).isEqualTo(3 * many);
    }

    /** One that reached its time limit each time ended the retention of all else. */
    @Test
    void whatCannotBeErasedKeepsNothingElse() {
        addLoose(1);
        addConversations(1);
        clock.advance(Duration.ofDays(181));
        JdbcTemplate looked = new JdbcTemplate(database);
        JdbcTemplate swept = before("widget_rating t where t.conversation_id is null", () -> {
            throw new QueryTimeoutException("too many");
        });

        assertThatThrownBy(() -> sweeper(swept).sweepAll()).isInstanceOf(QueryTimeoutException.class);

        assertThat(looked.queryForList("select id from workspace_coupon_application"))
                .isEmpty();
        assertThat(looked.queryForList("select id from widget_conversation")).isEmpty();
    }

    /** Those behind one that cannot be erased are, whether much was said in them or nothing, and it is tried again the next time. */
    @Test
    void aConversationThatCannotBeErasedKeepsNoOther() {
        addConversations(3);
        addEvents();
        clock.advance(Duration.ofDays(178));
        addConversations(3);
        clock.advance(Duration.ofDays(3));
        JdbcTemplate looked = new JdbcTemplate(database);
        List<UUID> locked = new ArrayList<>();
        List<UUID> first = List.of(
                looked.queryForList("select id from widget_conversation order by created_at", UUID.class)
                        .get(0),
                looked.queryForList("select id from widget_conversation order by created_at", UUID.class)
                        .get(3));
        JdbcTemplate swept = new JdbcTemplate(database) {
            @Override
            public <T extends @Nullable Object> T query(
                    PreparedStatementCreator statement,
                    @Nullable PreparedStatementSetter values,
                    ResultSetExtractor<T> rows) {
                boolean isLock = Objects.requireNonNull(((SqlProvider) statement).getSql())
                        .contains("for update");
                return super.query(isLock ? failing(statement) : statement, values, rows);
            }

            private PreparedStatementCreator failing(PreparedStatementCreator statement) {
                return connection -> {
                    PreparedStatement prepared = statement.createPreparedStatement(connection);
                    for (UUID id : first) {
                        if (prepared.toString().contains(id.toString())) {
                            locked.add(id);
                            throw new QueryTimeoutException("of a test");
                        }
                    }
                    return prepared;
                };
            }
        };

        assertThatThrownBy(() -> sweeper(swept).sweepAll()).isInstanceOf(QueryTimeoutException.class);

        assertThat(looked.queryForList("select id from widget_conversation", UUID.class))
                .containsExactlyInAnyOrderElementsOf(first);
        assertThat(locked).as("once a sweep").containsExactlyElementsOf(first);
        assertThat(sweeper().sweepAll()).isEqualTo(2);
    }

    /** Whatever failed before it: the process is to end. */
    @Test
    void aLackOfMemoryIsTold() {
        OutOfMemoryError lacking = new OutOfMemoryError("of a test");
        AtomicInteger tries = new AtomicInteger();
        DriverManagerDataSource failing = new DriverManagerDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw tries.getAndIncrement() == 0 ? new SQLException("away") : new SQLException(lacking);
            }
        };
        RetentionSweeper sweeper = sweeper(new JdbcTemplate(failing));

        assertThatThrownBy(sweeper::sweepAll).isSameAs(lacking);
    }

    /** As one that an erasure left which ended in between, or that began while the clock was wrong. */
    @Test
    void whatWasOverlookedIsFoundADayLater() {
        RetentionSweeper sweeper = sweeper();
        Instant begun = clock.instant();
        clock.advance(Duration.ofDays(3));
        assertThat(sweeper.sweepAll()).isZero();
        new JdbcTemplate(database)
                .update(
                        "insert into widget_conversation (id, status, created_at, updated_at) values (random_uuid(), 'open', ?, ?)",
                        begun.atOffset(ZoneOffset.UTC),
                        begun.atOffset(ZoneOffset.UTC));
        assertThat(sweeper.sweepAll()).isZero();

        clock.advance(Duration.ofDays(1));

        assertThat(sweeper.sweepAll()).isOne();
    }

    /** Whoever says the first thing after days is answered, and what was said stays. */
    @Test
    void whatIsSaidMeanwhileIsNotErased() {
        addConversations(1);
        clock.advance(Duration.ofDays(3));
        JdbcTemplate visitor = new JdbcTemplate(database);
        AtomicBoolean isSaid = new AtomicBoolean();
        JdbcTemplate swept = before("for update", () -> {
            if (!isSaid.getAndSet(true)) {
                addEvents();
            }
        });

        assertThat(sweeper(swept).sweepAll()).isZero();
        assertThat(visitor.queryForList("select id from widget_event")).hasSize(1);
    }

    /** Whoever goes on with an old conversation while those before it are erased is answered, and what was said stays. */
    @Test
    void whatIsSaidInAnOldConversationMeanwhileIsNotErased() {
        addConversations(1);
        clock.advance(Duration.ofDays(181));
        JdbcTemplate visitor = new JdbcTemplate(database);
        addEvents();
        JdbcTemplate swept = before(
                "for update",
                () -> visitor.update(
                        "update widget_conversation set updated_at = ?",
                        clock.instant().atOffset(ZoneOffset.UTC)));

        assertThat(sweeper(swept).sweepAll()).isZero();
        assertThat(visitor.queryForList("select id from widget_event")).hasSize(1);
    }

    /** Ratings and applied coupons of no conversation, which are left now. */
    private void addLoose(int number) {
        JdbcTemplate given = new JdbcTemplate(database);
        Object now = clock.instant().atOffset(ZoneOffset.UTC);
        given.update("insert into sync_workspace (id, revision, created_at) values ('site', 0, ?)", now);
        given.update(
                "insert into widget_rating (id, rating, created_at) select random_uuid(), 5, ? from system_range(1, ?)",
                now,
                number);
        given.update(
                "insert into workspace_coupon_application (id, workspace_id, code, description, discount_type, amount,"
                        + " applied_at) select random_uuid(), 'site', 'A', '', 'percent', 5, ? from system_range(1, ?)",
                now,
                number);
    }

    /** One a millisecond, which begin now. */
    private void addConversations(int number) {
        new JdbcTemplate(database)
                .update(
                        "insert into widget_conversation (id, status, created_at, updated_at) select random_uuid(),"
                                + " 'open', m, m from (select dateadd(millisecond, x, cast(? as timestamp with time zone)) m"
                                + " from system_range(1, ?))",
                        clock.instant().atOffset(ZoneOffset.UTC),
                        number);
        clock.advance(Duration.ofMillis(number));
    }

    /** One in each conversation. */
    private void addEvents() {
        new JdbcTemplate(database)
                .update("insert into widget_event (id, conversation_id, name, properties, created_at)"
                        + " select random_uuid(), id, 'name', '{}', created_at from widget_conversation");
    }

    /** Statements of which something comes before each query with that text. */
    private JdbcTemplate before(String text, Runnable something) {
        return new JdbcTemplate(database) {
            @Override
            public <T extends @Nullable Object> T query(
                    PreparedStatementCreator statement,
                    @Nullable PreparedStatementSetter values,
                    ResultSetExtractor<T> rows) {
                if (Objects.requireNonNull(((SqlProvider) statement).getSql()).contains(text)) {
                    something.run();
                }
                return super.query(statement, values, rows);
            }
        };
    }

    private RetentionSweeper sweeper() {
        return sweeper(statements);
    }

    @SuppressWarnings("NullAway") // Nobody talks to the assistant, and no site is asked for.
    private RetentionSweeper sweeper(JdbcTemplate statements) {
        JdbcClient jdbc = JdbcClient.create(statements);
        var store = new ConversationStore(jdbc);
        var repeated = new RepeatedRequests(clock, jdbc, KEY, Unbounded.WORK);
        var conversations = new Conversations(
                clock,
                store,
                null,
                null,
                new RatingStore(jdbc),
                repeated,
                new TransactionTemplate(new JdbcTransactionManager(database)));
        var defaults =
                new Binder(new MapConfigurationPropertySource()).bindOrCreate("content-api", WidgetSettings.class);
        return new RetentionSweeper(clock, store, conversations, repeated, defaults);
    }
}
