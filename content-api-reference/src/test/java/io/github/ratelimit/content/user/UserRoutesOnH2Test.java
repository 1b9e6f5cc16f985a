package io.github.ratelimit.content.user;

import io.github.ratelimit.content.harness.Database;

/** On the embedded database. */
class UserRoutesOnH2Test extends UserRoutesContract {
    UserRoutesOnH2Test() {
        super(Database.H2);
    }
}
