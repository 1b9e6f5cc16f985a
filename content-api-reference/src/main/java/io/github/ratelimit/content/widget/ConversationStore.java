package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.widget.Assistant.Source;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Conversations, their messages and what visitors thought of the answers. */
@Repository
class ConversationStore {
    private static final String SILENT =
            " and not exists (select 1 from widget_message m where m.conversation_id = c.id)"
                    + " and not exists (select 1 from widget_event e where e.conversation_id = c.id)"
                    + " and not exists (select 1 from widget_lead l where l.conversation_id = c.id)"
                    + " and not exists (select 1 from widget_rating r where r.conversation_id = c.id)"
                    + " and not exists (select 1 from workspace_coupon_application a where a.conversation_id = c.id)";

    private static final String COLUMNS =
            "id, workspace_id, unknown_workspace, title, status, visitor, page, visitor_typing_at, created_at, updated_at";

    private static final String OF_WORKSPACE = "widget_conversation t where t.workspace_id = :owner";
    private static final String FEEDBACK = "widget_feedback t join widget_message m on m.id = t.message_id";

    /**
     * What there may be any number of.
     *
     * @param table where it is
     * @param rows which of it, called {@code t}; a look into an index
     */
    private record Part(String table, String rows) {}

    /** Of a conversation. A message goes with what it was answered from, of which it has a few. */
    private static final List<Part> PARTS = List.of(
            new Part("widget_feedback", FEEDBACK + " where m.conversation_id = :which"),
            part("widget_message"),
            part("widget_event"),
            part("widget_lead"),
            part("widget_rating"),
            part("workspace_coupon_application"));

    /** Of no conversation. */
    private static final Part LOOSE_RATINGS =
            new Part("widget_rating", "widget_rating t where t.conversation_id is null and t.created_at < :which");

    /** Of no conversation. */
    private static final Part LOOSE_COUPONS = new Part(
            "workspace_coupon_application",
            "workspace_coupon_application t where t.conversation_id is null and t.applied_at < :which");

    private static Part part(String table) {
        return new Part(table, table + " t where t.conversation_id = :which");
    }

    private final JdbcClient jdbc;
    private final Rows<Conversation> rows;
    private final Rows<Feedback> feedback;

    ConversationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
        rows = new Rows<>(jdbc, "created_at", ConversationStore::conversation);
        feedback = new Rows<>(jdbc, "created_at", ConversationStore::feedback);
    }

    void add(Conversation conversation) {
        jdbc.sql("insert into widget_conversation (" + COLUMNS + ") values"
                        + " (:id, :workspace, :unknown, :title, :status, :visitor, :page, null, :created, :updated)")
                .param("id", conversation.id())
                .param("workspace", conversation.workspaceId())
                .param("unknown", conversation.unknownWorkspace())
                .param("title", conversation.title())
                .param("status", conversation.status().stored())
                .param("visitor", conversation.visitor())
                .param("page", conversation.page())
                .param("created", utc(conversation.createdAt()))
                .param("updated", utc(conversation.updatedAt()))
                .update();
    }

    Optional<Conversation> find(UUID id) {
        return jdbc.sql("select " + COLUMNS + " from widget_conversation where id = :id")
                .param("id", id)
                .query(ConversationStore::conversation)
                .optional();
    }

    Listing<Conversation> list(String workspace, Slice slice) {
        return rows.newest(OF_WORKSPACE, workspace, slice);
    }

    /** Finds conversations in which nothing happened since a moment, from the oldest on. */
    List<UUID> over(Instant last, int most) {
        return jdbc.sql("select id from widget_conversation where updated_at < :last"
                        + " order by updated_at fetch first :most rows only")
                .param("last", utc(last))
                .param("most", most)
                .query(UUID.class)
                .list();
    }

    /**
     * Ends a part of the conversations, by when something last happened in them.
     *
     * @param from the last moment of the part before
     * @param most how many there are in the part, beside those of its last moment
     * @return its last moment; empty behind the last
     */
    Optional<Instant> endOfPart(Instant from, int most) {
        return jdbc.sql("select updated_at from (select updated_at from widget_conversation where updated_at > :from"
                        + " order by updated_at fetch first :most rows only) part order by updated_at desc"
                        + " fetch first 1 rows only")
                .param("from", utc(from))
                .param("most", most)
                .query((row, number) -> instant(row, "updated_at"))
                .optional();
    }

    /** Finds conversations in which nothing was said, of those in which something last happened after one moment and not after another. */
    List<UUID> silent(Instant from, Instant to) {
        return jdbc.sql("select c.id from widget_conversation c where c.updated_at > :from and c.updated_at <= :to"
                        + SILENT)
                .param("from", utc(from))
                .param("to", utc(to))
                .query(UUID.class)
                .list();
    }

    boolean isOver(UUID id, Instant last) {
        return jdbc.sql("select id from widget_conversation where id = :id and updated_at < :last")
                .param("id", id)
                .param("last", utc(last))
                .query(UUID.class)
                .optional()
                .isPresent();
    }

    boolean isSilent(UUID id) {
        return jdbc.sql("select c.id from widget_conversation c where c.id = :id" + SILENT)
                .param("id", id)
                .query(UUID.class)
                .optional()
                .isPresent();
    }

    /** Deletes ratings that belong to no conversation; returns how many there were. */
    int deleteLooseRatings(Instant last) {
        return Pieces.deleteAll(() -> deletePiece(LOOSE_RATINGS, utc(last)));
    }

    /** Deletes applied coupons that belong to no conversation; returns how many there were. */
    int deleteLooseCoupons(Instant last) {
        return Pieces.deleteAll(() -> deletePiece(LOOSE_COUPONS, utc(last)));
    }

    /** Deletes some of what is in a conversation, for {@link #delete} to find little; returns how many, 0: there is nothing. */
    int deletePiece(UUID id) {
        return PARTS.stream()
                .mapToInt(part -> deletePiece(part, id))
                .filter(deleted -> deleted > 0)
                .findFirst()
                .orElse(0);
    }

    /** Two statements: H2 compares each row that it finds with each that a list of its own making has. */
    private int deletePiece(Part part, Object which) {
        List<UUID> ids = jdbc.sql("select t.id from " + part.rows() + " fetch first :most rows only")
                .param("which", which)
                .param("most", Pieces.ROWS)
                .query(UUID.class)
                .list();
        return ids.isEmpty()
                ? 0
                : jdbc.sql("delete from " + part.table() + " where id in (:ids)")
                        .param("ids", ids)
                        .update();
    }

    Optional<Conversation> find(String workspace, UUID id) {
        return find(id).filter(found -> workspace.equals(found.workspaceId()));
    }

    /** Lists a workspace's conversations, from the oldest on. */
    List<Conversation> after(String workspace, Position last, int most) {
        return rows.after(OF_WORKSPACE, workspace, last, most);
    }

    /** Finds the conversations in which a visitor left an address. */
    List<UUID> ofEmail(String workspace, String email) {
        return jdbc.sql("select distinct c.id from widget_conversation c join widget_lead l on l.conversation_id = c.id"
                        + " where c.workspace_id = :workspace and lower(l.email) = lower(:email)")
                .param("workspace", workspace)
                .param("email", email)
                .query(UUID.class)
                .list();
    }

    /** Finds the conversations of which the page said that they are a visitor's. */
    List<UUID> ofVisitor(String workspace, String visitor) {
        return jdbc.sql("select id from widget_conversation where workspace_id = :workspace and visitor = :visitor")
                .param("workspace", workspace)
                .param("visitor", visitor)
                .query(UUID.class)
                .list();
    }

    boolean lock(UUID id) {
        return jdbc.sql("select id from widget_conversation where id = :id for update")
                .param("id", id)
                .query(UUID.class)
                .optional()
                .isPresent();
    }

    /** Deletes a conversation with its messages, feedback, events, leads and applied coupons; ratings only lose it. */
    void delete(UUID id) {
        jdbc.sql("delete from widget_conversation where id = :id")
                .param("id", id)
                .update();
    }

    void setStatus(UUID id, Conversation.Status status, Instant now) {
        jdbc.sql("update widget_conversation set status = :status, updated_at = :now where id = :id")
                .param("status", status.stored())
                .param("now", utc(now))
                .param("id", id)
                .update();
    }

    void setTitle(UUID id, @Nullable String title, Instant now) {
        jdbc.sql("update widget_conversation set title = :title, updated_at = :now where id = :id")
                .param("title", title)
                .param("now", utc(now))
                .param("id", id)
                .update();
    }

    void setTyping(UUID id, Instant now) {
        jdbc.sql("update widget_conversation set visitor_typing_at = :now where id = :id")
                .param("now", utc(now))
                .param("id", id)
                .update();
    }

    /**
     * Marks that something happens in a conversation, and keeps it from being closed until the transaction ends.
     *
     * @return whether it is there and open
     */
    boolean touchOpen(UUID id, Instant now) {
        return jdbc.sql("update widget_conversation set updated_at = :now where id = :id and status = 'open'")
                        .param("now", utc(now))
                        .param("id", id)
                        .update()
                > 0;
    }

    void add(UUID conversation, Message message) {
        jdbc.sql("""
                        insert into widget_message (id, conversation_id, author, text, created_at)
                        values (:id, :conversation, :author, :text, :created)""")
                .param("id", message.id())
                .param("conversation", conversation)
                .param("author", message.author().stored())
                .param("text", message.text())
                .param("created", utc(message.createdAt()))
                .update();
        int position = 0;
        for (Source source : message.sources()) {
            jdbc.sql("""
                            insert into widget_message_source (message_id, position, document_id, title, url)
                            values (:message, :position, :document, :title, :url)""")
                    .param("message", message.id())
                    .param("position", position++)
                    .param("document", source.documentId())
                    .param("title", source.title())
                    .param("url", source.url())
                    .update();
        }
    }

    /** Returns the newest messages, oldest of them first. */
    List<Message> newest(UUID conversation, int most) {
        List<Message> messages =
                messages(jdbc.sql("""
                        select id, author, text, created_at from widget_message
                        where conversation_id = :conversation order by position desc fetch first :most rows only""").param("conversation", conversation).param("most", most));
        Collections.reverse(messages);
        return messages;
    }

    /** Returns messages in the order in which they were written: so a page stays what it is. */
    List<Message> messages(UUID conversation, int offset, int limit) {
        return messages(jdbc.sql("""
                        select id, author, text, created_at from widget_message
                        where conversation_id = :conversation order by position
                        offset :offset rows fetch next :limit rows only""")
                .param("conversation", conversation)
                .param("offset", offset)
                .param("limit", limit));
    }

    /** Returns the messages behind one, in the order in which they were written; behind an unknown one: all. */
    List<Message> messagesAfter(UUID conversation, UUID last, int most) {
        return messages(jdbc.sql("""
                        select id, author, text, created_at from widget_message
                        where conversation_id = :conversation
                        and position > coalesce((select position from widget_message where id = :last), -1)
                        order by position fetch first :most rows only""")
                .param("conversation", conversation)
                .param("last", last)
                .param("most", most));
    }

    long countMessages(UUID conversation) {
        return jdbc.sql("select count(*) from widget_message where conversation_id = :conversation")
                .param("conversation", conversation)
                .query(Long.class)
                .single();
    }

    private List<Message> messages(JdbcClient.StatementSpec select) {
        List<Message> bare = select.query((row, number) -> new Message(
                        row.getObject("id", UUID.class),
                        Message.Author.of(row.getString("author")),
                        row.getString("text"),
                        List.of(),
                        instant(row, "created_at")))
                .list();
        if (bare.isEmpty()) {
            return new ArrayList<>();
        }
        Map<UUID, List<Source>> sources = sources(bare.stream().map(Message::id).toList());
        List<Message> messages = new ArrayList<>();
        for (Message message : bare) {
            messages.add(new Message(
                    message.id(),
                    message.author(),
                    message.text(),
                    sources.getOrDefault(message.id(), List.of()),
                    message.createdAt()));
        }
        return messages;
    }

    boolean hasMessage(UUID conversation, UUID message) {
        return jdbc.sql("select count(*) from widget_message where id = :id and conversation_id = :conversation")
                        .param("id", message)
                        .param("conversation", conversation)
                        .query(Long.class)
                        .single()
                > 0;
    }

    void add(Feedback feedback) {
        jdbc.sql("""
                        insert into widget_feedback (id, message_id, helpful, comment, created_at)
                        values (:id, :message, :helpful, :comment, :created)""")
                .param("id", feedback.id())
                .param("message", feedback.messageId())
                .param("helpful", feedback.helpful())
                .param("comment", feedback.comment())
                .param("created", utc(feedback.createdAt()))
                .update();
    }

    Listing<Feedback> feedback(String workspace, Slice slice) {
        return feedback.newest(
                FEEDBACK + " join widget_conversation c on c.id = m.conversation_id where c.workspace_id = :owner",
                workspace,
                slice);
    }

    private static Feedback feedback(ResultSet row, int number) throws SQLException {
        return new Feedback(
                row.getObject("id", UUID.class),
                row.getObject("message_id", UUID.class),
                row.getObject("helpful", Boolean.class),
                row.getString("comment"),
                instant(row, "created_at"));
    }

    /** Lists what visitors thought of a conversation's messages, from the oldest on. */
    List<Feedback> feedbackAfter(UUID conversation, Position last, int most) {
        return feedback.after(FEEDBACK + " where m.conversation_id = :owner", conversation, last, most);
    }

    private Map<UUID, List<Source>> sources(List<UUID> messages) {
        Map<UUID, List<Source>> sources = new HashMap<>();
        jdbc.sql("""
                        select message_id, document_id, title, url from widget_message_source
                        where message_id in (:messages) order by message_id, position""").param("messages", messages).query(row -> {
            sources.computeIfAbsent(row.getObject("message_id", UUID.class), id -> new ArrayList<>())
                    .add(new Source(row.getString("document_id"), row.getString("title"), row.getString("url")));
        });
        return sources;
    }

    private static Conversation conversation(ResultSet row, int number) throws SQLException {
        OffsetDateTime typing = row.getObject("visitor_typing_at", OffsetDateTime.class);
        return new Conversation(
                row.getObject("id", UUID.class),
                row.getString("workspace_id"),
                row.getString("unknown_workspace"),
                row.getString("title"),
                Conversation.Status.of(row.getString("status")),
                row.getString("visitor"),
                row.getString("page"),
                typing == null ? null : typing.toInstant(),
                instant(row, "created_at"),
                instant(row, "updated_at"));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static OffsetDateTime utc(Instant moment) {
        return moment.atOffset(ZoneOffset.UTC);
    }
}
