package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.harness.Database;
import java.util.Set;

class StatementsOnPostgreSqlTest extends StatementsContract {

    StatementsOnPostgreSqlTest() {
        // It skips through other indexes, which takes more pages and not more rows.
        super(
                Database.POSTGRESQL,
                Set.of(
                        "application_password_account",
                        "item_author",
                        "item_known",
                        "item_named",
                        "item_numbered",
                        "item_parent",
                        "item_term_term"));
    }
}
