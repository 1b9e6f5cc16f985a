package io.github.ratelimit.content.cms.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SignInVisit;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy may send each request of a visit to another server of the site. */
class TwoServersTest {
    private static final Account ADMIN = Accounts.standard().get("admin");
    private static final String PAGE = "/authorize-application?app_name=Tool";

    @TempDir
    private Path folder;

    @Test
    void visitGoesOnAtAnotherServerOfTheSite() {
        try (ReferenceServer one = start();
                ReferenceServer two = start()) {
            SignInVisit visit = SignInVisit.open(new SiteClient(one.base()), PAGE);
            assertThat(visit.signIn(ADMIN.login(), ADMIN.signInPassword()).status())
                    .isEqualTo(303);

            SignInVisit there = new SignInVisit(new SiteClient(two.base()), PAGE, visit.cookie(), "");
            assertThat(there.isSignedIn()).isTrue();
            String[] parts = there.cookie().split("\\.", -1);
            for (int part = 1; part < parts.length; part++) {
                String[] forged = parts.clone();
                forged[part] = "1" + forged[part];
                SignInVisit other = new SignInVisit(new SiteClient(two.base()), PAGE, String.join(".", forged), "");
                assertThat(other.isSignedIn()).as("part %s", part).isFalse();
            }

            SignInVisit back = new SignInVisit(new SiteClient(one.base()), PAGE, there.cookie(), there.token());
            assertThat(back.submit("approve", "name", "Tool").status()).isEqualTo(200);
            assertThat(back.isSignedIn()).isFalse();
        }
    }

    private ReferenceServer start() {
        return ReferenceServer.start(
                Database.H2,
                "--spring.datasource.url=jdbc:h2:mem:two-servers;DB_CLOSE_DELAY=10",
                "--content-api.data-dir=" + folder);
    }
}
