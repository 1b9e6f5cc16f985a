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

/** How satisfied people were, in the database. Safe for concurrent use. */
@Repository
class RatingStore {

    private static final String OF_WORKSPACE = "widget_rating t where t.workspace_id = :owner";

    private final JdbcClient jdbc;
    private final Rows<Rating> rows;

    RatingStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
        rows = new Rows<>(jdbc, "created_at", RatingStore::rating);
    }

    void add(Rating rating) {
        jdbc.sql("""
                        insert into widget_rating (id, workspace_id, conversation_id, rating, comment, created_at)
                        values (:id, :workspace, :conversation, :rating, :comment, :created)""")
                .param("id", rating.id())
                .param("workspace", rating.workspaceId())
                .param("conversation", rating.conversationId())
                .param("rating", rating.rating())
                .param("comment", rating.comment())
                .param("created", rating.createdAt().atOffset(ZoneOffset.UTC))
                .update();
    }

    /** Lists a workspace's ratings, from the oldest on. */
    List<Rating> after(String workspace, Position last, int most) {
        return rows.after(OF_WORKSPACE, workspace, last, most);
    }

    /** What a visitor wrote is the visitor's, the number as well: it can be told from the others of that moment. */
    void erase(UUID conversation) {
        jdbc.sql("delete from widget_rating where conversation_id = :conversation")
                .param("conversation", conversation)
                .update();
    }

    private static Rating rating(ResultSet row, int number) throws SQLException {
        return new Rating(
                row.getObject("id", UUID.class),
                row.getString("workspace_id"),
                row.getObject("conversation_id", UUID.class),
                row.getInt("rating"),
                row.getString("comment"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    Listing<Rating> list(String workspace, Slice slice) {
        return rows.newest(OF_WORKSPACE, workspace, slice);
    }
}
