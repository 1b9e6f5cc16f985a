package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The visitors who want to be contacted, in the database. Safe for concurrent use. */
@Repository
class LeadStore {

    private final JdbcClient jdbc;
    private final Rows<Lead> rows;

    LeadStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
        rows = new Rows<>(jdbc, "created_at", LeadStore::lead);
    }

    void add(Lead lead) {
        jdbc.sql("""
                        insert into widget_lead (id, conversation_id, email, name, phone, note, created_at)
                        values (:id, :conversation, :email, :name, :phone, :note, :created)""")
                .param("id", lead.id())
                .param("conversation", lead.conversationId())
                .param("email", lead.email())
                .param("name", lead.name())
                .param("phone", lead.phone())
                .param("note", lead.note())
                .param("created", lead.createdAt().atOffset(ZoneOffset.UTC))
                .update();
    }

    /** Lists the leads of a conversation, from the oldest on. */
    List<Lead> after(UUID conversation, Position last, int most) {
        return rows.after("widget_lead t where t.conversation_id = :owner", conversation, last, most);
    }

    private static Lead lead(ResultSet row, int number) throws SQLException {
        return new Lead(
                row.getObject("id", UUID.class),
                row.getObject("conversation_id", UUID.class),
                row.getString("email"),
                row.getString("name"),
                row.getString("phone"),
                row.getString("note"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    Listing<Lead> list(String workspace, Slice slice) {
        return rows.newest(
                "widget_lead t join widget_conversation c on c.id = t.conversation_id where c.workspace_id = :owner",
                workspace,
                slice);
    }
}
