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

    private static final String OF_WORKSPACE =
            " from widget_lead l join widget_conversation c on c.id = l.conversation_id where c.workspace_id = :workspace";

    private final JdbcClient jdbc;

    LeadStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
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
        return jdbc.sql("select id, conversation_id, email, name, phone, note, created_at from widget_lead"
                        + " where conversation_id = :conversation and (created_at, id) > (:moment, :id)"
                        + " order by created_at, id fetch first :most rows only")
                .param("conversation", conversation)
                .param("moment", last.moment().atOffset(ZoneOffset.UTC))
                .param("id", last.id())
                .param("most", most)
                .query(LeadStore::lead)
                .list();
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
        var leads = jdbc.sql(
                        "select l.id, l.conversation_id, l.email, l.name, l.phone, l.note, l.created_at" + OF_WORKSPACE
                                + " order by l.created_at desc, l.id offset :offset rows fetch next :limit rows only")
                .param("workspace", workspace)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query(LeadStore::lead)
                .list();
        long total = jdbc.sql("select count(*)" + OF_WORKSPACE)
                .param("workspace", workspace)
                .query(Long.class)
                .single();
        return slice.listing(leads, total);
    }
}
