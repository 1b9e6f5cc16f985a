package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.harness.Database;

class StatementsOnH2Test extends StatementsContract {
    StatementsOnH2Test() {
        super(Database.H2);
    }
}
