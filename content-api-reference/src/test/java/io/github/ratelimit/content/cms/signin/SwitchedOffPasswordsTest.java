package io.github.ratelimit.content.cms.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rule: BEHAVIOUR section 11, {@code content-api.application-passwords.enabled=false}. */
class SwitchedOffPasswordsTest {
    private static final String PAGE = "/authorize-application?app_name=Tool";

    @AutoClose
    private static ReferenceServer server;

    private static SiteClient site;

    @BeforeAll
    static void start() {
        server = ReferenceServer.start(Database.H2, "--content-api.application-passwords.enabled=false");
        site = new SiteClient(server.base());
    }

    @Test
    void theIndexTellsNoScheme() {
        assertThat(site.get("/").json().path("authentication")).isEqualTo(Json.read("[]"));
    }

    @Test
    void rightPasswordsAreAnonymousHoweverOftenTheyAreSent() {
        for (int i = 0; i < 40; i++) {
            Answer answer = site.as("admin").get("/cms/v2/users/me");
            assertThat(answer.status()).as("not a guess").isEqualTo(401);
        }
    }

    @Test
    void routesOfPasswordsAreNotImplemented() {
        String uuid = "00000000-0000-4000-8000-000000000000";
        for (String owner : List.of("me", "1", "999999")) {
            String route = "/cms/v2/users/" + owner + "/application-passwords";
            assertDisabled(site.get(route));
            assertDisabled(site.post(route, "{\"name\": \"x\"}"));
            assertDisabled(site.delete(route));
            assertDisabled(site.get(route + "/" + uuid));
            assertDisabled(site.delete(route + "/" + uuid));
        }
    }

    private static void assertDisabled(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(501);
        assertThat(answer.code()).isEqualTo("application_passwords_disabled");
    }

    @Test
    void thePageSendsTheApplicationBack() {
        String reject = "&reject_url=" + Query.encode("https://app.test/no?a=b#c");
        for (String method : List.of("GET", "POST")) {
            Answer answer =
                    site.callAddress(method, site.base() + PAGE + reject).send();
            assertThat(answer.status()).as(method).isEqualTo(303);
            assertThat(answer.header("Location")).contains("https://app.test/no?a=b&error=disabled#c");
        }
        Answer nowhere = site.open(PAGE + "&success_url=" + Query.encode("https://app.test/ok"));
        assertThat(nowhere.status()).isEqualTo(501);
        assertThat(nowhere.text())
                .contains("Application passwords are not available.")
                .doesNotContain("<form");
        assertThat(site.open(PAGE + "&reject_url=javascript:1").status()).isEqualTo(400);
    }
}
