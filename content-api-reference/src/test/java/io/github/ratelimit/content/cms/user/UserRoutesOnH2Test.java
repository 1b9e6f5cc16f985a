package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.harness.Database;

/** On the embedded database. */
class UserRoutesOnH2Test extends UserRoutesContract {
    UserRoutesOnH2Test() {
        super(Database.H2);
    }
}
