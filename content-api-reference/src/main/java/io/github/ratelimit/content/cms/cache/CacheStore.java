package io.github.ratelimit.content.cms.cache;

import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the routes of the cache were told, in the database. Safe for concurrent use. */
@Component
class CacheStore {

    static final int LONGEST = 8000;
    static final int LONGEST_SUBJECT = 2000;
    static final int LONGEST_STATUS = 100;

    /** Chosen: enough to look back a while; each kind forgets its oldest beyond this. */
    private static final int MOST_NOTIFICATIONS = 500;

    private final InstantSource clock;
    private final JdbcClient jdbc;

    CacheStore(InstantSource clock, JdbcClient jdbc) {
        this.clock = clock;
        this.jdbc = jdbc;
    }

    /** Finds what was kept under a name. */
    Optional<String> find(String name) {
        return jdbc.sql("select content from cache_setting where name = :name")
                .param("name", name)
                .query(String.class)
                .optional();
    }

    /** Keeps a text under a name, in place of what is there. */
    void put(String name, String content) {
        if (update(name, content) == 0) {
            try {
                insert(name, content);
            } catch (DuplicateKeyException e) {
                update(name, content);
            }
        }
    }

    /** Keeps a text under a name unless something is there, and returns what is there then. */
    String putIfAbsent(String name, String content) {
        Optional<String> known = find(name);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            insert(name, content);
            return content;
        } catch (DuplicateKeyException e) {
            return find(name).orElse(content);
        }
    }

    /** Keeps a result that another service tells, and forgets the oldest of its kind. */
    void addNotification(String kind, String subject, String status, String content) {
        jdbc.sql("insert into cache_notification (kind, subject, status, content, received_at)"
                        + " values (:kind, :subject, :status, :content, :now)")
                .param("kind", kind)
                .param("subject", subject)
                .param("status", status)
                .param("content", content)
                .param("now", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .update();
        jdbc.sql("delete from cache_notification where kind = :kind and id <= (select max(id) from cache_notification"
                        + " where kind = :kind) - :most")
                .param("kind", kind)
                .param("most", MOST_NOTIFICATIONS)
                .update();
    }

    /** Counts the results of a kind by what they say. */
    Map<String, Long> countByStatus(String kind) {
        Map<String, Long> counts = new LinkedHashMap<>();
        jdbc.sql("select status, count(*) as number from cache_notification where kind = :kind"
                        + " group by status order by status")
                .param("kind", kind)
                .query((row, index) -> Map.entry(row.getString("status"), row.getLong("number")))
                .list()
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
        return counts;
    }

    private int update(String name, String content) {
        return jdbc.sql("update cache_setting set content = :content where name = :name")
                .param("name", name)
                .param("content", content)
                .update();
    }

    private void insert(String name, String content) {
        jdbc.sql("insert into cache_setting (name, content) values (:name, :content)")
                .param("name", name)
                .param("content", content)
                .update();
    }
}
