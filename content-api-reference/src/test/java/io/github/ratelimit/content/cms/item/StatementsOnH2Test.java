package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.harness.Database;
import java.util.Set;

class StatementsOnH2Test extends StatementsContract {

    StatementsOnH2Test() {
        // It makes an index of its own for each foreign key.
        super(Database.H2, Set.of("application_password_account", "item_known", "item_term_term"));
    }
}
