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

    private final JdbcClient jdbc;

    RatingStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
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
        return jdbc.sql("select id, workspace_id, conversation_id, rating, comment, created_at from widget_rating"
                        + " where workspace_id = :workspace and (created_at, id) > (:moment, :id)"
                        + " order by created_at, id fetch first :most rows only")
                .param("workspace", workspace)
                .param("moment", last.moment().atOffset(ZoneOffset.UTC))
                .param("id", last.id())
                .param("most", most)
                .query(RatingStore::rating)
                .list();
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
        var ratings = jdbc.sql("""
                        select id, workspace_id, conversation_id, rating, comment, created_at from widget_rating
                        where workspace_id = :workspace
                        order by created_at desc, id offset :offset rows fetch next :limit rows only""")
                .param("workspace", workspace)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query(RatingStore::rating)
                .list();
        long total = jdbc.sql("select count(*) from widget_rating where workspace_id = :workspace")
                .param("workspace", workspace)
                .query(Long.class)
                .single();
        return slice.listing(ratings, total);
    }
}
