package io.github.ratelimit.content.widget;

import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Conversations and everything that belongs to them, in the database. Safe for concurrent use.
 *
 * <p>Columns have the names of the members that they become: for each other name the driver would throw, and Spring would ask again.
 */
@Repository
class ConversationStore {
    private final JdbcClient jdbc;

    ConversationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void add(Conversation conversation) {
        insert("""
                insert into widget_conversation (id, workspace_id, title, status, visitor, page, created_at, updated_at)
                values (:id, :workspaceId, :title, :status, :visitor, :page, :createdAt, :updatedAt)""", conversation);
    }

    void add(Conversation.Message message) {
        insert("""
                insert into widget_message (id, conversation_id, author, text, sources, created_at)
                values (:id, :conversationId, :author, :text, :sources, :createdAt)""", message);
    }

    void add(Conversation.Feedback feedback) {
        insert("""
                insert into widget_feedback (id, message_id, helpful, comment, created_at)
                values (:id, :messageId, :helpful, :comment, :createdAt)""", feedback);
    }

    void add(Conversation.Event event) {
        insert("""
                insert into widget_event (id, conversation_id, name, properties, created_at)
                values (:id, :conversationId, :name, :properties, :createdAt)""", event);
    }

    void add(Conversation.Lead lead) {
        insert("""
                insert into widget_lead (id, conversation_id, email, name, phone, note, created_at)
                values (:id, :conversationId, :email, :name, :phone, :note, :createdAt)""", lead);
    }

    void add(Conversation.Rating rating) {
        insert("""
                insert into widget_rating (id, conversation_id, rating, comment, created_at)
                values (:id, :conversationId, :rating, :comment, :createdAt)""", rating);
    }

    private void insert(String sql, Object row) {
        jdbc.sql(sql).paramSource(row).update();
    }

    Optional<Conversation> find(UUID id) {
        return jdbc.sql("select id, workspace_id workspaceId, title, status, visitor, page,"
                        + " visitor_typing_at visitorTypingAt, created_at createdAt, updated_at updatedAt"
                        + " from widget_conversation where id = :id")
                .param("id", id)
                .query(Conversation.class)
                .optional();
    }

    boolean hasMessage(UUID conversation, UUID message) {
        return jdbc.sql("select count(*) from widget_message where id = :id and conversation_id = :conversation")
                        .param("id", message)
                        .param("conversation", conversation)
                        .query(Long.class)
                        .single()
                > 0;
    }

    /** Returns the newest messages in the order of their creation. */
    List<Conversation.Message> newest(UUID conversation, int most) {
        List<Conversation.Message> messages = jdbc.sql("""
                        select id, conversation_id conversationId, author, text, sources, created_at createdAt
                        from widget_message
                        where conversation_id = :conversation order by position desc fetch first :most rows only""")
                .param("conversation", conversation)
                .param("most", most)
                .query(Conversation.Message.class)
                .list();
        Collections.reverse(messages);
        return messages;
    }

    /**
     * Marks a conversation as changed and locks its row until the transaction ends.
     *
     * @param status the status that it must have; null: any
     * @param added the size of what comes to it
     * @param most the size that it may have then
     * @return whether there is such a conversation, and room in it
     */
    boolean touch(UUID id, @Nullable String status, long added, long most, OffsetDateTime now) {
        return jdbc.sql(
                                "update widget_conversation set updated_at = :now, used = true, size = size + :added where id = :id"
                                        + (added == 0 ? "" : " and size <= :before")
                                        + (status == null ? "" : " and status = :status"))
                        .param("now", now)
                        .param("added", added)
                        .param("before", most - added)
                        .param("id", id)
                        .param("status", status)
                        .update()
                > 0;
    }

    void setStatus(UUID id, String status) {
        set(id, "status", status);
    }

    void setTitle(UUID id, @Nullable String title) {
        set(id, "title", title);
    }

    void setTyping(UUID id, OffsetDateTime now) {
        set(id, "visitor_typing_at", now);
    }

    private void set(UUID id, String column, @Nullable Object value) {
        jdbc.sql("update widget_conversation set " + column + " = :value where id = :id")
                .param("value", value)
                .param("id", id)
                .update();
    }

    /** Deletes a conversation; its messages, feedback, events, leads and ratings go with it. */
    boolean delete(UUID id) {
        return jdbc.sql("delete from widget_conversation where id = :id")
                        .param("id", id)
                        .update()
                > 0;
    }

    /**
     * Deletes some conversations without a change since a moment.
     *
     * @param used false: those in which nothing followed their beginning
     * @return their number
     */
    int deleteOld(boolean used, OffsetDateTime last, int most) {
        String old = "used = :used and updated_at < :last";
        // Two statements: H2 compares the rows of a subquery one by one.
        List<UUID> ids = jdbc.sql("select id from widget_conversation where " + old
                        + " order by updated_at fetch first :most rows only")
                .param("used", used)
                .param("last", last)
                .param("most", most)
                .query(UUID.class)
                .list();
        return ids.isEmpty()
                ? 0
                : jdbc.sql("delete from widget_conversation where id in (:ids) and " + old)
                        .param("ids", ids)
                        .param("used", used)
                        .param("last", last)
                        .update();
    }

    /** Deletes ratings that belong to no conversation. */
    void deleteOldRatings(OffsetDateTime last) {
        jdbc.sql("delete from widget_rating where conversation_id is null and created_at < :last")
                .param("last", last)
                .update();
    }
}
