package io.github.ratelimit.content.cms.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SignInVisit;
import io.github.ratelimit.content.harness.SiteClient;
import java.awt.image.BufferedImage;
import java.util.Map;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rule: BEHAVIOUR section 11 for the authorisation page; the public pages are those that {@code link} fields name. */
class SitePagesTest {
    private static final String SIGN_IN = Accounts.standard().get("author").signInPassword();
    private static final String APP = "6a8c5f0e-9d1b-4c3a-8e57-0b2f4d6c8a10";

    @AutoClose
    private static ReferenceServer server;

    private static SiteClient site;

    @BeforeAll
    static void start() {
        server = ReferenceServer.start(Database.H2);
        site = new SiteClient(server.base());
    }

    @Test
    void publishedItemHasAPageThatLeadsToTheInterface() {
        JsonNode post = post(
                "{\"title\": \"Fish & <em>Chips</em>\", \"content\": \"<p>Fresh</p><div>open\", \"status\": \"publish\"}");
        String link = post.path("link").stringValue();

        Answer answer = site.open(link);

        Document page = Jsoup.parse(answer.text());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.mediaType()).isEqualTo("text/html");
        assertThat(page.title()).isEqualTo("Fish & Chips – Example Site");
        assertThat(page.selectXpath("//h1").text()).isEqualTo("Fish & Chips");
        assertThat(page.select("main article").text()).contains("Fresh");
        assertThat(page.select("html").attr("lang")).isEqualTo("en");
        assertThat(answer.header("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'")
                .contains("style-src 'self'", "style-src-attr 'unsafe-inline'", "frame-src 'self'")
                .contains("frame-ancestors 'none'");
        assertThat(answer.header("Link").orElse(""))
                .contains("<" + server.base() + "/index.php?rest_route=/>; rel=\"https://api.w.org/\"");
        assertThat(page.select("link[rel=alternate][type=application/json]").attr("href"))
                .isEqualTo(server.base() + "/index.php?rest_route=/cms/v2/posts/" + post.path("id"));
        assertThat(site.open("/").text()).contains("Fish &amp; Chips");
        assertThat(site.open(link + "&embed=true")
                        .header("Content-Security-Policy")
                        .orElse(""))
                .contains("frame-ancestors *");
        assertThat(site.open("/site.css").mediaType()).isEqualTo("text/css");
    }

    @Test
    void aPostShowsItsPictureAndEachPageTheMenu() {
        JsonNode file = site.as("admin")
                .call("POST", "/cms/v2/media")
                .file(
                        "seen.png",
                        "image/png",
                        PictureFiles.encoded(new BufferedImage(4, 3, BufferedImage.TYPE_INT_RGB), "png"))
                .send()
                .json();
        String post = post("{\"title\": \"Pictured\", \"status\": \"publish\", \"featured_media\": " + file.path("id")
                        + "}")
                .path("link")
                .stringValue();
        create("pages", "{\"title\": \"Second\", \"status\": \"publish\", \"menu_order\": 2}");
        create("pages", "{\"title\": \"First & <em>best</em>\", \"status\": \"publish\", \"menu_order\": 1}");
        create("pages", "{\"title\": \"Hidden\", \"status\": \"draft\"}");

        Document page = Jsoup.parse(site.open(post).text());

        assertThat(page.select("article > img").attr("src"))
                .isEqualTo(file.path("source_url").stringValue());
        assertThat(page.select("header nav a").eachText()).containsExactly("First & best", "Second");
    }

    @Test
    void stickyPostsComeFirstAndOnce() {
        post("{\"title\": \"Pinned\", \"status\": \"publish\", \"sticky\": true, \"date\": \"2020-01-01T00:00:00\"}");
        post("{\"title\": \"Newest\", \"status\": \"publish\"}");

        assertThat(Jsoup.parse(site.open("/").text()).select("h2").eachText())
                .startsWith("Pinned", "Newest")
                .containsOnlyOnce("Pinned");
    }

    @Test
    void whatIsNotPublicHasNoPage() {
        for (String status : new String[] {"draft", "private", "pending"}) {
            JsonNode post = post("{\"title\": \"Not for you\", \"status\": \"" + status + "\"}");
            Answer answer = site.open("/?p=" + post.path("id"));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).doesNotContain("Not for you");
        }
        for (String wrong : new String[] {"0", "-1", "1abc", "99999999999999999999", ""}) {
            assertThat(site.open("/?p=" + wrong).status()).isEqualTo(404);
        }
        assertThat(site.open("/?author=999").status()).isEqualTo(404);
    }

    @Test
    void anyTitleAndAnyNameIsShownAsItIs() {
        String title = "Long ".repeat(24_000) + "[[${7*7}]]";
        JsonNode post = post("{\"title\": \"" + title + "\", \"status\": \"publish\"}");
        String link = post.path("link").stringValue();
        assertThat(Jsoup.parse(site.open(link).text()).title()).endsWith("[[${7*7}]] – Example Site");
        assertThat(Jsoup.parse(site.open(link + "&embed=true").text())
                        .select("footer")
                        .text())
                .isEqualTo("Site Admin · Example Site");
    }

    @Test
    void scriptsOfAPageDoNotRun() {
        JsonNode post = post("{\"title\": \"<script>t()</script>\", \"content\": \"<script>c()</script>\","
                + " \"status\": \"publish\"}");

        Answer answer = site.open(post.path("link").stringValue());

        assertThat(answer.header("Content-Security-Policy").orElse("")).doesNotContain("script-src");
        assertThat(Jsoup.parse(answer.text()).select("h1 script, title script")).isEmpty();
    }

    @Test
    void passwordOpensAGuardedItemForItsReaderAlone() {
        JsonNode post = post("{\"title\": \"Guarded\", \"content\": \"<p>The secret</p>\", \"status\": \"publish\","
                + " \"password\": \"open-sesame\"}");
        String link = post.path("link").stringValue();
        assertThat(site.open(link).text()).contains("type=\"password\"").doesNotContain("The secret");
        assertThat(site.open("/").text()).doesNotContain("The secret");

        Answer wrong = site.callAddress("POST", link)
                .form(Query.of("post_password", "wrong"))
                .send();
        assertThat(wrong.status()).isEqualTo(403);
        assertThat(wrong.text()).doesNotContain("The secret");
        Answer right = site.callAddress("POST", link)
                .form(Query.of("post_password", "open-sesame"))
                .send();
        assertThat(right.status()).isEqualTo(303);
        String set = right.header("Set-Cookie").orElse("");
        assertThat(set).contains("HttpOnly").contains("SameSite=Lax").doesNotContain("open-sesame");
        String cookie = set.substring(0, set.indexOf(';'));

        assertThat(site.with("Cookie", cookie).open(link).text()).contains("The secret");
        assertThat(site.with("Cookie", cookie.replaceFirst("=\\d", "=9"))
                        .open(link)
                        .text())
                .doesNotContain("The secret");
    }

    @Test
    void approvalBringsAPasswordThatWorks() {
        String page = "/authorize-application?app_name=" + Query.encode("My <App>") + "&app_id=" + APP + "&success_url="
                + Query.encode("https://app.test/back?x=1");

        SignInVisit browser = SignInVisit.open(site, page);
        Answer signIn = browser.get();
        assertThat(signIn.status()).isEqualTo(200);
        assertThat(signIn.header("Cache-Control")).contains("no-store");
        assertThat(Jsoup.parse(signIn.text()).select("main").text()).contains("My <App>");
        assertThat(signIn.header("Set-Cookie").orElse("")).contains("HttpOnly", "SameSite=Lax", "Path=/authorize-app");
        Answer signed = browser.signIn("Wendy", SIGN_IN);
        assertThat(signed.status()).isEqualTo(303);
        Answer question = browser.get();
        assertThat(Jsoup.parse(question.text()).select("strong").text()).isEqualTo("My <App>");
        assertThat(question.header("Content-Security-Policy").orElse(""))
                .contains("form-action 'self' https://app.test");
        Answer approved = browser.submit("approve", "name", "My App");

        assertThat(approved.status()).isEqualTo(303);
        String target = approved.header("Location").orElse("");
        assertThat(target).startsWith("https://app.test/back?x=1&site_url=");
        Map<String, String> back = Query.parameters(target);
        assertThat(back).containsEntry("user_login", "wendy").containsEntry("site_url", server.base());
        Answer me = site.with("Authorization", Account.basic("wendy", back.getOrDefault("password", "")))
                .get("/cms/v2/users/me");
        assertThat(me.text("/slug")).isEqualTo("wendy");
        assertThat(Jsoup.parse(browser.get().text()).select("input[name=password]"))
                .hasSize(1);
    }

    /** RFC 8252, sections 7.1 and 7.3. The policy names the scheme alone, as browsers find no host in it. */
    @ParameterizedTest
    @CsvSource({
        "myapp://auth/done, myapp:",
        "com.example.app://back_to/?x=1, com.example.app:",
        "http://127.0.0.1:51004/back, http://127.0.0.1:51004",
        "http://[::1]:51004/back, http://[::1]:51004",
    })
    void approvalLeadsBackToANativeApplication(String back, String target) {
        SignInVisit browser =
                SignInVisit.open(site, "/authorize-application?app_name=App&success_url=" + Query.encode(back));
        browser.signIn("wendy", SIGN_IN);

        assertThat(browser.get().header("Content-Security-Policy").orElse(""))
                .contains("form-action 'self' " + target + ";");
        assertThat(browser.submit("approve", "name", "App").header("Location").orElse(""))
                .startsWith(back)
                .contains("user_login=wendy", "password=");
    }

    @Test
    void withoutAnAddressThePasswordIsShownOnce() {
        String page = "/authorize-application?app_name=Tool";
        SignInVisit browser = SignInVisit.open(site, page);
        browser.signIn("wendy@example.test", SIGN_IN);
        browser.get();

        Answer approved = browser.submit("approve", "name", "Tool");

        assertThat(approved.status()).isEqualTo(200);
        assertThat(approved.header("Cache-Control")).contains("no-store");
        String secret = Jsoup.parse(approved.text()).select("code.secret").text();
        assertThat(secret).matches("(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}");
    }

    @Test
    void rejectionGoesBackWithoutAPassword() {
        String page = "/authorize-application?app_name=Tool&success_url=" + Query.encode("https://app.test/ok");
        String own = page + "&reject_url=" + Query.encode("https://app.test/no");

        assertThat(rejected(page)).contains("https://app.test/ok?success=false");
        assertThat(rejected(own)).contains("https://app.test/no");
    }

    private static Optional<String> rejected(String page) {
        SignInVisit browser = SignInVisit.open(site, page);
        browser.signIn("wendy", SIGN_IN);
        browser.get();
        return browser.submit("reject", "name", "Tool").header("Location");
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404, Not found",
        "/limits/live, 401, Sign-in failed",
    })
    void errorIsAPageForBrowsersAndJsonForPrograms(String path, int status, String title) {
        String address = server.base() + path;
        Answer page =
                site.with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8").open(address);
        assertThat(page.status()).isEqualTo(status);
        assertThat(page.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(page.text()).contains("<h1>" + title + "</h1>", "/favicon.svg");
        Answer json = site.open(address);
        assertThat(json.status()).isEqualTo(status);
        assertThat(json.number("/data/status")).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/limits", "/limits/"})
    void theFolderOfTheLivePageLeadsToIt(String folder) {
        Answer answer = site.open(folder);

        assertThat(answer.status()).isEqualTo(302);
        // Without a host: a proxy may have another one.
        assertThat(answer.header("Location")).contains("/limits/live");
    }

    @Test
    void wrongPasswordDoesNotSignIn() {
        String page = "/authorize-application?app_name=Tool";
        SignInVisit browser = SignInVisit.open(site, page);
        Answer rejected = browser.signIn("wendy", "wrong");

        assertThat(rejected.status()).isEqualTo(403);
        assertThat(Jsoup.parse(rejected.text()).select("[role=alert]").text()).contains("wrong");
        String applicationPassword = Accounts.standard().get("author").password();
        assertThat(browser.signIn("wendy", applicationPassword).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "success_url=javascript:alert(1)",
                "success_url=data:text/html,x",
                "reject_url=JavaScript:alert(1)",
                "success_url=//app.test/",
                "success_url=https:app.test",
                "success_url=https://good.test@evil.test/",
                "success_url=ftp://app.test/",
                "success_url=javascript://app.test/%0aalert(1)",
                "success_url=VBScript://app.test/",
                "success_url=file:///etc/passwd",
                "success_url=myapp:done",
                "success_url=myapp:/done",
                "success_url=myapp:///done",
                "success_url=myapp://:80/done",
                "success_url=myapp://a@b/",
                "success_url=auth/done",
                "app_id=1",
                "app_id=6a8c5f0e-9d1b-4c3a-8e57-0b2f4d6c8a1g",
            })
    void whatCannotBeTrustedIsNotFollowed(String parameter) {
        int equals = parameter.indexOf('=');
        Answer answer = site.open("/authorize-application?app_name=x&" + parameter.substring(0, equals + 1)
                + Query.encode(parameter.substring(equals + 1)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Location")).isEmpty();
    }

    private static JsonNode post(String body) {
        return create("posts", body);
    }

    private static JsonNode create(String collection, String body) {
        return site.as("admin").post("/cms/v2/" + collection, body).json();
    }
}
