package io.github.ratelimit.content.cms.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What clients of this kind of interface expect of accounts; the interface's document does not show them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UserRoutesContract {
    @AutoClose
    private final ReferenceServer server;

    private final SiteClient site;

    UserRoutesContract(Database database) {
        server = ReferenceServer.start(database);
        site = new SiteClient(server.base());
    }

    @Test
    void everyAccountKnowsItself() {
        JsonNode me = as("author", "GET", "/cms/v2/users/me").json();

        assertThat(me.path("name").stringValue()).isEqualTo("Wendy Writer");
        assertThat(me.path("slug").stringValue()).isEqualTo("wendy");
        assertThat(me.has("email")).isFalse();
        assertThat(me.path("_links").path("self").path(0).path("href").stringValue())
                .isEqualTo(server.base() + "/index.php?rest_route=/cms/v2/users/" + me.path("id"));

        JsonNode edit = as("author", "GET", "/cms/v2/users/me&context=edit").json();
        assertThat(edit.path("username").stringValue()).isEqualTo("wendy");
        assertThat(edit.path("roles").toString()).isEqualTo("[\"author\"]");
        assertThat(edit.path("capabilities").path("edit_posts").booleanValue()).isTrue();
        Answer nobody = site.call("GET", "/cms/v2/users/me").send();
        assertError(nobody, 401, "rest_not_logged_in");
        assertThat(nobody.header("Allow")).contains("GET");
        assertError(site.call("PUT", "/cms/v2/users/me").json("{}").send(), 404, "rest_user_invalid_id");
    }

    /** As in lists of items. */
    @Test
    void includedAccountsCountAloneAndSignsDoNot() {
        String list = "/cms/v2/users&orderby=include&include=-" + id("author") + "," + id("editor");

        assertThat(as("admin", "GET", list + "&exclude=" + id("editor")).json().findValuesAsString("slug"))
                .containsExactly("wendy", "charlie");
        assertThat(as("admin", "GET", list + "&offset=-1").json().findValuesAsString("slug"))
                .containsExactly("charlie");
    }

    @Test
    void whoWroteNothingIsKnownToThoseOnlyWhoMayListAccounts() {
        long subscriber = id("subscriber");

        assertError(site.call("GET", "/cms/v2/users/" + subscriber).send(), 401, "rest_user_cannot_view");
        assertError(as("author", "GET", "/cms/v2/users/" + subscriber), 403, "rest_user_cannot_view");
        assertError(
                as("author", "GET", "/cms/v2/users/" + subscriber + "&context=edit"), 403, "rest_forbidden_context");
        assertThat(as("admin", "GET", "/cms/v2/users/" + subscriber).status()).isEqualTo(200);
        assertThat(site.call("GET", "/cms/v2/users").send().json().isEmpty()).isTrue();
        assertThat(as("admin", "GET", "/cms/v2/users&orderby=email&search=example.test")
                        .json()
                        .findValuesAsString("slug"))
                .contains("siteadmin", "rory");
        assertThat(as("admin", "GET", "/cms/v2/users&roles=editor").json().findValuesAsString("slug"))
                .containsExactly("charlie");
        assertThat(as("admin", "GET", "/cms/v2/users&search=%25").json().isEmpty())
                .isTrue();
        assertError(as("editor", "GET", "/cms/v2/users&context=edit"), 403, "rest_forbidden_context");
        assertError(as("editor", "GET", "/cms/v2/users&roles=editor"), 403, "rest_user_cannot_view");
        assertError(as("editor", "GET", "/cms/v2/users&orderby=email"), 403, "rest_forbidden_orderby");
        assertError(as("admin", "GET", "/cms/v2/users/999999"), 404, "rest_user_invalid_id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*harl*", "harl*", "**charlie chief**", " *chief"})
    void starsAroundAPartOfANameMeanNothing(String sent) {
        assertThat(site.call("GET", "/cms/v2/users", Query.of("search", sent))
                        .as(Accounts.standard().get("admin"))
                        .send()
                        .json()
                        .findValuesAsString("slug"))
                .containsExactly("charlie");
    }

    @Test
    void whatIsLeftOutBeforeAListOfAccountsTellsThePagesBesideIt() {
        String link = as("admin", "GET", "/cms/v2/users&per_page=2&offset=2")
                .header("Link")
                .orElse("");

        assertThat(link).contains("&page=1>; rel=\"prev\"").contains("&page=3>; rel=\"next\"");
        assertThat(as("admin", "GET", "/cms/v2/users&per_page=2&offset=9223372036854775807")
                        .header("Link")
                        .orElse(""))
                .contains("rel=\"prev\"")
                .doesNotContain("rel=\"next\"");
    }

    @Test
    void accountIsMadeChangedAndDeletedByAdministratorsAlone() {
        String body = """
                {"username": "newbie", "email": "newbie@example.test", "password": "long enough", "roles": ["author"]}""";
        assertError(write("editor", "POST", "/cms/v2/users", body), 403, "rest_cannot_create_user");
        Answer made = write("admin", "POST", "/cms/v2/users", body);
        assertThat(made.status()).isEqualTo(201);
        long id = made.json().path("id").longValue();
        assertThat(made.header("Location")).contains(server.base() + "/index.php?rest_route=/cms/v2/users/" + id);
        assertThat(made.text()).doesNotContain("long enough");
        assertError(write("admin", "POST", "/cms/v2/users", body), 400, "existing_user_login");
        assertError(
                write("admin", "POST", "/cms/v2/users", body.replace("\"newbie\"", "\"other\"")),
                400,
                "existing_user_email");
        assertError(
                write("admin", "POST", "/cms/v2/users", "{\"username\": \"x\"}"), 400, "rest_missing_callback_param");

        String route = "/cms/v2/users/" + id;
        assertError(write("editor", "PUT", route, "{\"name\": \"X\"}"), 403, "rest_cannot_edit");
        JsonNode changed = write("admin", "PATCH", route, "{\"name\": \"New B\", \"roles\": [\"editor\"]}")
                .json();
        assertThat(changed.path("name").stringValue()).isEqualTo("New B");
        assertThat(changed.path("roles").toString()).isEqualTo("[\"editor\"]");
        assertThat(changed.path("email").stringValue()).isEqualTo("newbie@example.test");
        assertError(write("admin", "PATCH", route, "{\"url\": \"javascript:x\"}"), 400, "rest_invalid_param");

        assertError(as("admin", "DELETE", route + "&reassign=false"), 501, "rest_trash_not_supported");
        assertError(as("admin", "DELETE", route + "&force=true&reassign=" + id), 400, "rest_user_invalid_reassign");
        assertError(as("editor", "DELETE", route + "&force=true&reassign=false"), 403, "rest_user_cannot_delete");
        JsonNode deleted = as("admin", "DELETE", route + "&force=true&reassign=" + id("editor"))
                .json();
        assertThat(deleted.path("deleted").booleanValue()).isTrue();
        assertThat(deleted.path("previous").path("id").longValue()).isEqualTo(id);
        assertError(as("admin", "GET", route), 404, "rest_user_invalid_id");
    }

    /** Asks for all that is declared, so that a text which is declared one day is asked for, too. */
    @Test
    void everyTextOfAnAccountIsStoredWhenItIsMadeAndWhenItIsChanged() {
        List<String> texts = new ArrayList<>();
        for (JsonNode endpoint : as("admin", "OPTIONS", "/cms/v2/users").json().path("endpoints")) {
            if (endpoint.path("methods").toString().contains("POST")) {
                endpoint.path("args").properties().stream()
                        .filter(argument ->
                                argument.getValue().path("type").asString("").equals("string"))
                        .map(Map.Entry::getKey)
                        .filter(name -> !List.of("username", "password").contains(name))
                        .forEach(texts::add);
            }
        }
        assertThat(texts).contains("name", "email", "locale");
        ObjectNode body = texts("made", texts);

        long id = write(
                        "admin",
                        "POST",
                        "/cms/v2/users",
                        body.deepCopy()
                                .put("username", "stored")
                                .put("password", "long enough")
                                .toString())
                .json()
                .path("id")
                .longValue();
        String route = "/cms/v2/users/" + id;
        assertThat(shown(route, texts)).isEqualTo(body);
        write("admin", "PATCH", route, texts("changed", texts).toString());
        assertThat(shown(route, texts)).isEqualTo(texts("changed", texts));

        as("admin", "DELETE", route + "&force=true&reassign=false");
    }

    private static ObjectNode texts(String word, List<String> names) {
        ObjectNode texts = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            texts.put(
                    name,
                    switch (name) {
                        case "email" -> word + "@example.test";
                        case "url" -> "https://" + word + ".example.test";
                        default -> word + "-" + name;
                    });
        }
        return texts;
    }

    private ObjectNode shown(String route, List<String> names) {
        JsonNode account = as("admin", "GET", route + "&context=edit").json();
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        names.forEach(name -> shown.set(name, account.path(name)));
        return shown;
    }

    /** As where an account is changed, and as with terms. */
    @Test
    void whatLeavesNothingOfASlugIsNoWishForOne() {
        Answer made = write("admin", "POST", "/cms/v2/users", """
                {"username": "unnamed", "email": "unnamed@example.test", "password": "long enough", "slug": "???"}""");

        assertThat(made.json().path("slug").stringValue()).isEqualTo("unnamed");

        as("admin", "DELETE", "/cms/v2/users/" + made.json().path("id") + "&force=true&reassign=false");
    }

    @Test
    void accountsAreListedInTheOrderInWhichTheyAreNamed() {
        String ids = id("subscriber") + "," + id("admin") + "," + id("editor");

        String list = "/cms/v2/users&include=" + ids + "&orderby=include";
        assertThat(as("admin", "GET", list).json().findValuesAsString("slug"))
                .containsExactly("rory", "siteadmin", "charlie");
        assertThat(as("admin", "GET", list + "&order=desc&per_page=2&page=2")
                        .json()
                        .findValuesAsString("slug"))
                .containsExactly("rory");
        assertThat(as("admin", "GET", "/cms/v2/users&slug=wendy,charlie,hana&orderby=include_slugs")
                        .json()
                        .findValuesAsString("slug"))
                .containsExactly("wendy", "charlie", "hana");
    }

    @Test
    void accountIsNotMadeUnderANumberAndDeletedWithoutAnHeir() {
        String body =
                "{\"username\": \"numbered\", \"email\": \"numbered@example.test\", \"password\": \"long enough\"";

        assertError(write("admin", "POST", "/cms/v2/users", body + ", \"id\": 1}"), 400, "rest_user_exists");
        long id = write("admin", "POST", "/cms/v2/users", body + ", \"id\": 0}")
                .json()
                .path("id")
                .longValue();
        Answer deleted = as("admin", "DELETE", "/cms/v2/users/" + id + "&force=true&reassign=0");
        assertThat(deleted.json().path("deleted").booleanValue()).isTrue();
    }

    /** Nobody keeps them for him, and everybody who knows their address could read them. */
    @Test
    void filesOfAnAccountThatIsDeletedAreServedNoMore() {
        String body =
                "{\"username\": \"uploader\", \"email\": \"uploader@example.test\", \"password\": \"long enough\"}";
        long account =
                write("admin", "POST", "/cms/v2/users", body).json().path("id").longValue();
        String file = site.call("POST", "/cms/v2/media", Query.of("author", "" + account))
                .as(Accounts.standard().get("admin"))
                .header("Content-Disposition", "attachment; filename=\"left.txt\"")
                .header("Content-Type", "text/plain")
                .body("text".getBytes(StandardCharsets.UTF_8))
                .send()
                .json()
                .path("source_url")
                .stringValue();
        assertThat(site.callAddress("GET", file).send().status()).isEqualTo(200);

        assertThat(as("admin", "DELETE", "/cms/v2/users/" + account + "&force=true&reassign=false")
                        .status())
                .isEqualTo(200);

        assertThat(site.callAddress("GET", file).send().status()).isEqualTo(404);
    }

    @Test
    void argumentsOfAnAccountAreCheckedBeforeAnybodyIsAsked() {
        String body = "{\"username\": \"checked\", \"email\": \"checked@example.test\", \"password\": \"long enough\"}";

        for (String role : List.of("admin", "subscriber")) {
            Answer name = write(role, "POST", "/cms/v2/users", body.replace("\"checked\"", "\"<b>no</b>\""));
            assertReason(name, "username", "rest_user_invalid_username");
            assertThat(name.json()
                            .path("data")
                            .path("details")
                            .path("username")
                            .path("data")
                            .path("status")
                            .asInt(0))
                    .isEqualTo(400);
            assertReason(
                    write(role, "POST", "/cms/v2/users", body.replace("checked@example.test", "lol, not an email")),
                    "email",
                    "rest_invalid_email");
            assertReason(
                    write(role, "POST", "/cms/v2/users", body.replace("long enough", "")),
                    "password",
                    "rest_user_invalid_password");
        }
        assertReason(
                write("subscriber", "POST", "/cms/v2/users/me", "{\"email\": \"nowhere\"}"),
                "email",
                "rest_invalid_email");
        assertReason(
                write("subscriber", "POST", "/cms/v2/users/me", "{\"password\": \"\"}"),
                "password",
                "rest_user_invalid_password");
    }

    @Test
    void accountsAreListedByWhatTheyMay() {
        assertThat(as("admin", "GET", "/cms/v2/users&capabilities=create_users")
                        .json()
                        .findValuesAsString("slug"))
                .containsExactly("siteadmin");
        assertThat(as("admin", "GET", "/cms/v2/users&capabilities=edit_others_posts,upload_files")
                        .json()
                        .findValuesAsString("slug"))
                .contains("siteadmin", "charlie")
                .doesNotContain("wendy", "hana", "rory");
        assertThat(as("admin", "GET", "/cms/v2/users&capabilities=edit_posts&roles=author,subscriber")
                        .json()
                        .findValuesAsString("slug"))
                .contains("wendy")
                .doesNotContain("rory", "charlie");
        assertThat(as("admin", "GET", "/cms/v2/users&capabilities=edit_posts,steal")
                        .json()
                        .isEmpty())
                .isTrue();
        assertThat(as("admin", "GET", "/cms/v2/users&who=authors&roles=subscriber")
                        .json()
                        .findValuesAsString("slug"))
                .contains("wendy", "charlie")
                .doesNotContain("rory");
        for (String role : List.of("editor", "author", "contributor")) {
            assertThat(as(role, "GET", "/cms/v2/users&who=authors").json().findValuesAsString("slug"))
                    .as(role)
                    .contains("wendy", "charlie", "hana")
                    .doesNotContain("rory");
            assertThat(as(role, "GET", "/cms/v2/users&who=authors&has_published_posts=true")
                            .json()
                            .findValuesAsString("slug"))
                    .as(role)
                    .doesNotContain("hana", "rory");
        }
        assertThat(as("admin", "GET", "/cms/v2/users&roles=king").json().isEmpty())
                .isTrue();
        assertError(as("editor", "GET", "/cms/v2/users&capabilities=edit_posts"), 403, "rest_user_cannot_view");
        assertError(
                site.callAddress("GET", server.base() + "/index.php?rest_route=/cms/v2/users&capabilities=edit_posts")
                        .send(),
                401,
                "rest_user_cannot_view");
    }

    @Test
    void addressOfASiteGetsItsSchemeWhereItHasNone() {
        assertThat(write("subscriber", "POST", "/cms/v2/users/me", "{\"url\": \"example.test/me\"}")
                        .json()
                        .path("url")
                        .stringValue())
                .isEqualTo("http://example.test/me");
        for (String bad : List.of("javascript:x", "data:,x", "//example.test", "a b.test")) {
            assertError(
                    write("subscriber", "POST", "/cms/v2/users/me", "{\"url\": \"" + bad + "\"}"),
                    400,
                    "rest_invalid_param");
        }
        write("subscriber", "POST", "/cms/v2/users/me", "{\"url\": \"\"}");
    }

    @Test
    void roleThatNobodyHasIsRefusedOnceTheCallerMayGiveRoles() {
        String body =
                "{\"username\": \"roleless\", \"email\": \"roleless@example.test\", \"password\": \"long enough\","
                        + " \"roles\": [\"sultan\"]}";

        assertError(write("admin", "POST", "/cms/v2/users", body), 400, "rest_user_invalid_role");
        assertError(
                write("admin", "POST", "/cms/v2/users/me", "{\"roles\": [\"sultan\"]}"), 400, "rest_user_invalid_role");
        assertError(
                write("author", "POST", "/cms/v2/users/me", "{\"roles\": [\"sultan\"]}"),
                403,
                "rest_cannot_edit_roles");
    }

    @Test
    void addressOfAnotherAccountIsNoAddressForAKnownOne() {
        assertError(
                write("subscriber", "POST", "/cms/v2/users/me", "{\"email\": \"" + email("editor") + "\"}"),
                400,
                "rest_user_invalid_email");
    }

    @Test
    void namesAreOneLineAndADescriptionIsHarmless() {
        String html = "\"<div>div</div> <strong>strong</strong> <script>oh noes</script>\"";
        JsonNode changed = write(
                        "contributor",
                        "POST",
                        "/cms/v2/users/me",
                        "{\"name\": " + html + ", \"first_name\": " + html + ", \"last_name\": " + html
                                + ", \"nickname\": " + html + ", \"description\": " + html + "}")
                .json();

        for (String name : List.of("name", "first_name", "last_name", "nickname")) {
            assertThat(changed.path(name).stringValue()).as(name).isEqualTo("div strong");
        }
        assertThat(changed.path("description").stringValue()).isEqualTo("div <strong>strong</strong> oh noes");
        String route = "/cms/v2/users/me";
        assertThat(write("contributor", "POST", route, "{\"name\": \"<b></b>\"}")
                        .json()
                        .path("name")
                        .stringValue())
                .as("what leaves nothing is no wish for another name")
                .isEqualTo("div strong");
        String signs = "&".repeat(10_000);
        assertThat(write("contributor", "POST", route, "{\"description\": \"" + signs + "\"}")
                        .json()
                        .path("description")
                        .stringValue())
                .hasSizeLessThanOrEqualTo(20_000)
                .startsWith("&amp;&amp;")
                .endsWith("&amp;");
        write(
                "contributor",
                "POST",
                route,
                "{\"name\": \"Hana\", \"description\": \"\", \"first_name\": \"\", \"last_name\": \"\"}");
    }

    @Test
    void nobodyRaisesThemselves() {
        assertError(
                write("author", "POST", "/cms/v2/users/me", "{\"roles\": [\"administrator\"]}"),
                403,
                "rest_cannot_edit_roles");
        assertError(
                write("author", "POST", "/cms/v2/users/" + id("admin"), "{\"roles\": [\"author\"]}"),
                403,
                "rest_cannot_edit_roles");
        assertError(
                write("author", "POST", "/cms/v2/users/" + id("admin"), "{\"password\": \"mine now\"}"),
                403,
                "rest_cannot_edit");
        assertError(
                write("admin", "POST", "/cms/v2/users/me", "{\"roles\": [\"editor\"]}"), 403, "rest_user_invalid_role");
        assertThat(write("author", "POST", "/cms/v2/users/me", "{\"description\": \"I write.\"}")
                        .json()
                        .path("description")
                        .stringValue())
                .isEqualTo("I write.");
    }

    @Test
    void applicationPasswordWorksUntilItIsTakenBack() {
        String route = "/cms/v2/users/me/application-passwords";
        Answer made = write("contributor", "POST", route, "{\"name\": \"Phone\"}");
        assertThat(made.status()).isEqualTo(201);
        String secret = made.json().path("password").stringValue();
        String uuid = made.json().path("uuid").stringValue();
        assertThat(secret).matches("(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}");

        Answer used = site.call("GET", "/cms/v2/users/me")
                .header("Authorization", Account.basic("hana", secret))
                .send();
        assertThat(used.status()).isEqualTo(200);
        Answer introspected = site.call("GET", route + "/introspect")
                .header("Authorization", Account.basic("hana", secret))
                .send();
        assertThat(introspected.json().path("uuid").stringValue()).isEqualTo(uuid);
        assertThat(introspected.json().has("password")).isFalse();
        assertError(as("author", "GET", route + "/nothing"), 404, "rest_application_password_not_found");
        String ofAnother = "/cms/v2/users/" + id("contributor") + "/application-passwords/introspect";
        for (String role : List.of("author", "admin")) {
            assertError(
                    as(role, "GET", ofAnother), 403, "rest_cannot_introspect_app_password_for_non_authenticated_user");
        }
        assertError(site.call("GET", route + "/introspect").send(), 401, "rest_not_logged_in");
        JsonNode listed = as("contributor", "GET", route).json();
        assertThat(listed.findValuesAsString("name")).contains("Phone");
        assertThat(listed.toString()).doesNotContain("password\":\"");
        assertThat(as("contributor", "GET", route + "/" + uuid)
                        .json()
                        .path("last_ip")
                        .stringValue())
                .isEqualTo("127.0.0.1");
        assertThat(write("contributor", "PUT", route + "/" + uuid, "{\"name\": \"Tablet\"}")
                        .json()
                        .path("name")
                        .stringValue())
                .isEqualTo("Tablet");
        assertError(
                as("author", "GET", "/cms/v2/users/" + id("contributor") + "/application-passwords"),
                403,
                "rest_cannot_list_application_passwords");
        assertError(as("author", "GET", route + "/" + uuid), 404, "rest_application_password_not_found");
        assertReason(write("contributor", "POST", route, "{\"name\": \"\"}"), "name", "rest_too_short");
        assertReason(write("contributor", "POST", route, "{\"name\": \" \"}"), "name", "rest_invalid_pattern");
        assertReason(write("contributor", "PUT", route + "/" + uuid, "{\"name\": \"\"}"), "name", "rest_too_short");
        String script = "{\"name\": \"<script>no</script>\"}";
        assertError(write("contributor", "POST", route, script), 400, "application_password_empty_name");
        assertError(write("contributor", "POST", route + "/" + uuid, script), 400, "application_password_empty_name");
        assertThat(write("contributor", "POST", route + "/" + uuid, "{\"name\": \" A <b>desk</b>\\ntop \"}")
                        .json()
                        .path("name")
                        .stringValue())
                .isEqualTo("A desk top");
        assertReason(
                write("contributor", "POST", route, "{\"name\": \"Watch\", \"app_id\": \"watch\"}"),
                "app_id",
                "rest_invalid_uuid");

        assertThat(as("contributor", "DELETE", route + "/" + uuid + "&_fields=deleted,previous.name")
                        .text())
                .isEqualTo("{\"deleted\":true,\"previous\":{\"name\":\"A desk top\"}}");
        assertError(
                site.call("GET", "/cms/v2/users/me")
                        .header("Authorization", Account.basic("hana", secret))
                        .send(),
                401,
                "rest_not_logged_in");
    }

    @Test
    void neitherLongListsNorWideLettersAreTooMuch() {
        String wide = "\uD83D\uDE00";
        JsonNode changed = write(
                        "subscriber",
                        "POST",
                        "/cms/v2/users/me",
                        "{\"name\": \"" + wide.repeat(250) + "\", \"description\": \"" + wide.repeat(10_000)
                                + "\", \"locale\": \"" + wide.repeat(20) + "\"}")
                .json();
        assertThat(changed.path("name").stringValue()).isEqualTo(wide.repeat(250));

        StringBuilder many = new StringBuilder("{\"include\": [1");
        for (int id = 2; id <= 5_000; id++) {
            many.append(',').append(id);
        }
        // Of a GET no body is read, and no address is so long.
        Answer listed = readBy("/cms/v2/users", many + "]}");
        assertThat(listed.status()).isEqualTo(200);
        assertThat(listed.json().isEmpty()).isFalse();
        many.append(",1]}");
        assertError(readBy("/cms/v2/users", many.toString()), 400, "rest_invalid_param");
        assertThat(as("admin", "GET", "/cms/v2/users&exclude=" + id("admin"))
                        .json()
                        .findValuesAsString("slug"))
                .doesNotContain("siteadmin")
                .contains("charlie");
        assertThat(as("admin", "GET", "/cms/v2/users&page=9223372036854775807&per_page=100")
                        .status())
                .isEqualTo(200);
        assertThat(as("admin", "GET", "/cms/v2/users/99999999999999999999").status())
                .isEqualTo(404);
    }

    private long id(String account) {
        return as(account, "GET", "/cms/v2/users/me").json().path("id").longValue();
    }

    private Answer as(String account, String method, String address) {
        return site.callAddress(method, server.base() + "/index.php?rest_route=" + address)
                .as(Accounts.standard().get(account))
                .send();
    }

    private Answer readBy(String route, String body) {
        return site.call("POST", route)
                .as(Accounts.standard().get("admin"))
                .header("X-HTTP-Method-Override", "GET")
                .json(body)
                .send();
    }

    private Answer write(String account, String method, String route, String body) {
        return site.call(method, route)
                .as(Accounts.standard().get(account))
                .json(body)
                .send();
    }

    private String email(String account) {
        return as(account, "GET", "/cms/v2/users/me&context=edit")
                .json()
                .path("email")
                .stringValue();
    }

    private static void assertReason(Answer answer, String argument, String code) {
        assertError(answer, 400, "rest_invalid_param");
        JsonNode data = answer.json().path("data");
        assertThat(data.path("params").has(argument)).isTrue();
        assertThat(data.path("details").path(argument).path("code").asString(""))
                .isEqualTo(code);
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.json().path("code").asString("")).isEqualTo(code);
        assertThat(answer.status()).isEqualTo(status);
    }
}
