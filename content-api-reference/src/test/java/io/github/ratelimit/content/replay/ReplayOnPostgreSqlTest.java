package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;
import java.util.List;

/** {@code -Pfull} plays all topics; the usual build those that read, sort and write most rows. */
@OnDatabase(Database.POSTGRESQL)
final class ReplayOnPostgreSqlTest extends ReplayContract {

    @Override
    List<String> usualTopics() {
        return Boolean.getBoolean("full")
                ? super.usualTopics()
                : List.of(
                        "autosaves",
                        "batch",
                        "media-list",
                        "own-items",
                        "own-routes",
                        "pages-list",
                        "pages-write",
                        "posts-item",
                        "posts-list",
                        "posts-write",
                        "revisions",
                        "transitions");
    }
}
