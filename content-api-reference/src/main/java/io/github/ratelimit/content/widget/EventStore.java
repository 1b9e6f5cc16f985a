package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What happened in widgets, in the database. Safe for concurrent use. */
@Repository
class EventStore {

    private static final String OF_WORKSPACE =
            " from widget_event e join widget_conversation c on c.id = e.conversation_id where c.workspace_id = :workspace";

    private final InstantSource clock;
    private final JdbcClient jdbc;

    EventStore(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
    }

    Event add(UUID conversation, String name, String properties) {
        var event = new Event(
                UUID.randomUUID(),
                conversation,
                name,
                properties,
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        jdbc.sql("""
                        insert into widget_event (id, conversation_id, name, properties, created_at)
                        values (:id, :conversation, :name, :properties, :created)""")
                .param("id", event.id())
                .param("conversation", event.conversationId())
                .param("name", event.name())
                .param("properties", event.properties())
                .param("created", event.createdAt().atOffset(ZoneOffset.UTC))
                .update();
        return event;
    }

    /** Lists what happened in a conversation, from the oldest on. */
    List<Event> after(UUID conversation, Position last, int most) {
        return jdbc.sql("select id, conversation_id, name, properties, created_at from widget_event"
                        + " where conversation_id = :conversation and (created_at, id) > (:moment, :id)"
                        + " order by created_at, id fetch first :most rows only")
                .param("conversation", conversation)
                .param("moment", last.moment().atOffset(ZoneOffset.UTC))
                .param("id", last.id())
                .param("most", most)
                .query(EventStore::event)
                .list();
    }

    private static Event event(ResultSet row, int number) throws SQLException {
        return new Event(
                row.getObject("id", UUID.class),
                row.getObject("conversation_id", UUID.class),
                row.getString("name"),
                row.getString("properties"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    Listing<Event> list(String workspace, Slice slice) {
        var events = jdbc.sql("select e.id, e.conversation_id, e.name, e.properties, e.created_at" + OF_WORKSPACE
                        + " order by e.created_at desc, e.id offset :offset rows fetch next :limit rows only")
                .param("workspace", workspace)
                .param("offset", slice.offset())
                .param("limit", slice.perPage())
                .query(EventStore::event)
                .list();
        long total = jdbc.sql("select count(*)" + OF_WORKSPACE)
                .param("workspace", workspace)
                .query(Long.class)
                .single();
        return slice.listing(events, total);
    }
}
