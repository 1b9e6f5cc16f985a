package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/** The origins whose pages may call the widget of a workspace. Safe for concurrent use. */
@Repository
class Origins {

    /** Every origin. */
    static final String ANY = "*";

    /** The request attribute that is set where a workspace's own list let the origin pass. */
    static final String OF_SOME_WORKSPACE = Origins.class.getName();

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;

    Origins(JdbcClient jdbc, TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    List<String> of(String workspace) {
        return jdbc.sql("select origin from widget_origin where workspace_id = :workspace order by origin")
                .param("workspace", workspace)
                .query(String.class)
                .list();
    }

    void replace(String workspace, List<String> origins) {
        transactions.executeWithoutResult(status -> {
            // Two at once: the later one waits, and its list is whole.
            jdbc.sql("select id from sync_workspace where id = :workspace for update")
                    .param("workspace", workspace)
                    .query(String.class)
                    .optional();
            jdbc.sql("delete from widget_origin where workspace_id = :workspace")
                    .param("workspace", workspace)
                    .update();
            origins.stream()
                    .distinct()
                    .forEach(origin -> jdbc.sql(
                                    "insert into widget_origin (workspace_id, origin) values (:workspace, :origin)")
                            .param("workspace", workspace)
                            .param("origin", origin)
                            .update());
        });
    }

    /** Tells whether any workspace lets pages of an origin call its widget. */
    boolean allowsSomewhere(String origin) {
        return WidgetSettings.isOrigin(origin)
                && isFound(jdbc.sql("select count(*) from widget_origin where origin in (:origin, '*')")
                        .param("origin", origin));
    }

    boolean allows(@Nullable String workspace, String origin) {
        return WidgetSettings.isOrigin(origin)
                && isFound(jdbc.sql("select count(*) from widget_origin"
                                + " where workspace_id = :workspace and origin in (:origin, '*')")
                        .param("workspace", workspace)
                        .param("origin", origin));
    }

    /** The same for the workspace of a conversation. */
    boolean allowsIn(UUID conversation, String origin) {
        return WidgetSettings.isOrigin(origin)
                && isFound(jdbc.sql("select count(*) from widget_origin o"
                                + " join widget_conversation c on c.workspace_id = o.workspace_id"
                                + " where c.id = :conversation and o.origin in (:origin, '*')")
                        .param("conversation", conversation)
                        .param("origin", origin));
    }

    /**
     * Takes back that a page may read the answer, where only another workspace than this one lets its origin. For
     * requests whose body says which workspace they mean: nobody knew it when the fields were written.
     */
    void confine(@Nullable String workspace, HttpServletRequest request, HttpServletResponse response) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null && request.getAttribute(OF_SOME_WORKSPACE) != null && !allows(workspace, origin)) {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, null);
            request.setAttribute(RepeatedRequests.HIDDEN_ATTRIBUTE, true);
        }
    }

    private static boolean isFound(JdbcClient.StatementSpec count) {
        return count.query(Long.class).single() > 0;
    }
}
