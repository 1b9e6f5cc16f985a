package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;

final class WorkspacesOnH2Test extends WorkspaceContract {

    WorkspacesOnH2Test() {
        super(Database.H2);
    }
}
