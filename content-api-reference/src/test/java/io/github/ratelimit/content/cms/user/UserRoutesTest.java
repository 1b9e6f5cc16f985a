package io.github.ratelimit.content.cms.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What clients of this kind of interface expect of accounts; the interface's document does not show them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UserRoutesTest {
    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(Database.H2);

    private final SiteClient site = new SiteClient(server.base());

    @Test
    void everyAccountKnowsItself() {
        JsonNode me = site.as("author").get("/cms/v2/users/me").json();

        assertThat(me.path("name").stringValue()).isEqualTo("Wendy Writer");
        assertThat(me.path("slug").stringValue()).isEqualTo("wendy");
        assertThat(me.has("email")).isFalse();
        assertThat(me.at("/_links/self/0/href").stringValue())
                .isEqualTo(server.base() + "/index.php?rest_route=/cms/v2/users/" + me.path("id"));

        JsonNode edit = site.as("author").get("/cms/v2/users/me?context=edit").json();
        assertThat(edit.path("username").stringValue()).isEqualTo("wendy");
        assertThat(edit.path("roles").toString()).isEqualTo("[\"author\"]");
        assertThat(edit.at("/capabilities/edit_posts").booleanValue()).isTrue();
        Answer nobody = site.get("/cms/v2/users/me");
        assertError(nobody, 401, "rest_not_logged_in");
        assertThat(nobody.header("Allow")).contains("GET");
    }

    @Test
    void whoWroteNothingIsKnownToThoseOnlyWhoMayListAccounts() {
        long subscriber = id("subscriber");

        assertError(site.get("/cms/v2/users/" + subscriber), 401, "rest_user_cannot_view");
        assertError(site.as("author").get("/cms/v2/users/" + subscriber), 403, "rest_user_cannot_view");
        assertError(
                site.as("author").get("/cms/v2/users/" + subscriber + "?context=edit"), 403, "rest_forbidden_context");
        assertThat(site.as("admin").get("/cms/v2/users/" + subscriber).status()).isEqualTo(200);
        assertThat(site.get("/cms/v2/users").json().isEmpty()).isTrue();
        assertThat(site.as("admin")
                        .get("/cms/v2/users?search=example.test")
                        .json()
                        .findValuesAsString("slug"))
                .contains("siteadmin", "rory");
        assertThat(site.as("admin").get("/cms/v2/users?search=%").json().isEmpty())
                .isTrue();
        assertError(site.as("editor").get("/cms/v2/users?context=edit"), 403, "rest_forbidden_context");
        assertError(site.as("admin").get("/cms/v2/users/999999"), 404, "rest_user_invalid_id");
    }

    @Test
    void applicationPasswordWorksUntilItIsTakenBack() {
        String route = "/cms/v2/users/me/application-passwords";
        Answer made = site.as("contributor").post(route, "{\"name\": \"Phone\"}");
        assertThat(made.status()).isEqualTo(201);
        String secret = made.text("/password");
        String uuid = made.text("/uuid");
        assertThat(secret).matches("(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}");

        Answer used = site.with("Authorization", Account.basic("hana", secret)).get("/cms/v2/users/me");
        assertThat(used.status()).isEqualTo(200);
        assertError(site.as("author").get(route + "/nothing"), 404, "rest_application_password_not_found");
        JsonNode listed = site.as("contributor").get(route).json();
        assertThat(listed.findValuesAsString("name")).contains("Phone");
        assertThat(listed.toString()).doesNotContain("password\":\"");
        assertThat(site.as("contributor").get(route + "/" + uuid).text("/last_ip"))
                .isEqualTo("127.0.0.1");
        assertError(
                site.as("author").get("/cms/v2/users/" + id("contributor") + "/application-passwords"),
                403,
                "rest_cannot_list_application_passwords");
        assertError(site.as("author").get(route + "/" + uuid), 404, "rest_application_password_not_found");
        assertReason(site.as("contributor").post(route, "{\"name\": \"\"}"), "name", "rest_too_short");
        assertReason(site.as("contributor").post(route, "{\"name\": \" \"}"), "name", "rest_invalid_pattern");
        String script = "{\"name\": \"<script>no</script>\"}";
        assertError(site.as("contributor").post(route, script), 400, "application_password_empty_name");
        assertReason(
                site.as("contributor").post(route, "{\"name\": \"Watch\", \"app_id\": \"watch\"}"),
                "app_id",
                "rest_invalid_uuid");

        assertThat(site.as("contributor")
                        .delete(route + "/" + uuid + "?_fields=deleted,previous.name")
                        .text())
                .isEqualTo("{\"deleted\":true,\"previous\":{\"name\":\"Phone\"}}");
        assertError(
                site.with("Authorization", Account.basic("hana", secret)).get("/cms/v2/users/me"),
                401,
                "rest_not_logged_in");
    }

    private long id(String account) {
        return site.as(account).get("/cms/v2/users/me").id();
    }

    private static void assertReason(Answer answer, String argument, String code) {
        assertError(answer, 400, "rest_invalid_param");
        JsonNode data = answer.json().path("data");
        assertThat(data.path("params").has(argument)).isTrue();
        assertThat(data.path("details").path(argument).path("code").asString(""))
                .isEqualTo(code);
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.status()).isEqualTo(status);
    }
}
