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

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final Rows<Event> rows;

    EventStore(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
        rows = new Rows<>(jdbc, "created_at", EventStore::event);
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
        return rows.after("widget_event t where t.conversation_id = :owner", conversation, last, most);
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
        return rows.newest(
                "widget_event t join widget_conversation c on c.id = t.conversation_id where c.workspace_id = :owner",
                workspace,
                slice);
    }
}
