package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;

final class WorkspacesOnPostgreSqlTest extends WorkspaceContract {

    WorkspacesOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
