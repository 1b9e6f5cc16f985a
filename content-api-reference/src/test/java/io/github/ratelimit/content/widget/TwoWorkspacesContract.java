package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** Tests that share a server with two workspaces, on any database. What is limited, and how, has tests of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwoWorkspacesContract {

    static final String DOCUMENTS = "/v1/cms/documents";
    static final String WIDGET = "/api/v1/widget";
    static final String TOKEN = "cms_first-token-of-the-contract-0001";
    private static final String OTHER_TOKEN = "cms_first-token-of-the-contract-0002";

    final Database database;

    @AutoClose
    final ReferenceServer server;

    final Caller nobody;
    final Caller site;
    final Caller other;

    TwoWorkspacesContract(Database database) {
        this.database = database;
        server = ReferenceServer.start(
                database,
                "--ratelimit.enabled=false",
                "--content-api.provision.workspaces[0].id=first",
                "--content-api.provision.workspaces[0].token=" + TOKEN,
                "--content-api.provision.workspaces[1].id=second",
                "--content-api.provision.workspaces[1].token=" + OTHER_TOKEN);
        nobody = Caller.nobody(new SiteClient(server.base(), DescribedSurface.of(server)::check));
        site = nobody.with(TOKEN);
        other = nobody.with(OTHER_TOKEN);
    }
}
