package io.github.ratelimit.content.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.openqa.selenium.SearchContext;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import tools.jackson.databind.node.JsonNodeFactory;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserTest {

    private static final String GAUGE = "[data-limiter=widget-session] [role=meter]";
    private static final String TITLE = "Seen in a browser";

    private final Account admin = Accounts.standard().get("admin");
    private ReferenceServer server;
    private SiteClient client;
    private ScriptedServer elsewhere;
    private ChromeDriver browser;
    private String post;

    @BeforeAll
    void start() throws IOException {
        Browsers.assumeInstalled();
        elsewhere = new ScriptedServer();
        server = ReferenceServer.start(
                Database.H2,
                "--content-api.widget.allowed-origins=" + elsewhere.base(),
                "--content-api.demo=true",
                "--content-api.demo-controls=true",
                // As in the server's own settings, but for the window: a browser waits for it in its own time.
                "--ratelimit.limiters.widget-leads.window=8s");
        client = new SiteClient(server.base());
        browser = Browsers.start();
        String other = publish("Embedded", "<p>Shown in a frame.</p>");
        post = publish(
                TITLE,
                "<p>Words of the text.</p><script>document.title='owned'</script>\n\n<p id=\"styled\" style=\"text-align:right\">Right</p>"
                        + "\n\n<table><tr><th>A</th><td>1</td></tr></table>\n\n" + server.base() + "/?p=" + other
                        + "\n\n");
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (elsewhere != null) {
            elsewhere.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void showsThePublicPageAndRunsNothingInIt() throws IOException {
        browser.get(server.base() + "/?p=" + post);

        assertThat(browser.findElement(By.tagName("h1")).getText()).isEqualTo(TITLE);
        assertThat(browser.findElement(By.tagName("body")).getText()).contains("Words of the text");
        // The author may write scripts; the page does not let them run.
        assertThat(browser.getTitle()).contains(TITLE).doesNotContain("owned");
        assertThat(browser.findElement(By.id("styled")).getCssValue("text-align"))
                .isEqualTo("right");
        assertThat(browser.findElement(By.tagName("td")).getCssValue("border-top-width"))
                .isEqualTo("1px");
        WebElement frame = browser.findElement(By.cssSelector("iframe.wp-embedded-content"));
        assertThat(frame.isDisplayed()).isTrue();
        browser.switchTo().frame(frame);
        assertThat(browser.findElement(By.cssSelector("h1 a")).getText()).isEqualTo("Embedded");
        browser.switchTo().defaultContent();
        pictures("post");
        browser.get(server.base() + "/");
        pictures("site");
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        assertThat(browser.executeScript("""
                        const chat = document.querySelector("support-chat").shadowRoot.querySelector(".launcher");
                        return chat.getBoundingClientRect().top >= document.querySelector("main").getBoundingClientRect().bottom;
                        """))
                .as("the chat button stands below the text")
                .isEqualTo(true);
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        browser.get(server.base() + "/nothing");
        assertThat(browser.findElement(By.tagName("h1")).getText()).isEqualTo("Not found");
        pictures("error");
    }

    /** As on the sites that such texts come from, whose themes do it. */
    @Test
    void columnsLieSideBySideWhereThereIsRoom() {
        String columns = publish("Columns", """
                <!-- wp:columns --><div class="wp-block-columns"><!-- wp:column {"width":"66%"} -->
                <div class="wp-block-column" style="flex-basis:66%"><p>One</p></div><!-- /wp:column --><!-- wp:column -->
                <div class="wp-block-column"><p>Two</p></div><!-- /wp:column --></div><!-- /wp:columns -->""");
        browser.get(server.base() + "/?p=" + columns);
        assertThat(rows(".wp-block-column")).isEqualTo(1);

        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 800, "deviceScaleFactor", 1, "mobile", false));
        assertThat(rows(".wp-block-column")).isEqualTo(2);
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    private long rows(String selector) {
        return browser.findElements(By.cssSelector(selector)).stream()
                .map(element -> element.getLocation().getY())
                .distinct()
                .count();
    }

    @Test
    void showsTheEmbedPageInAFrameOfAnotherSite() {
        Answer described = client.get("/oembed/1.0/embed?url=" + server.base() + "/?p=" + post);
        elsewhere.page("/", "", "<!DOCTYPE html><title>Another site</title>" + described.text("/html"));
        browser.get(elsewhere.base() + "/");
        browser.switchTo().frame(browser.findElement(By.tagName("iframe")));

        WebElement title = browser.findElement(By.cssSelector("h1 a"));
        assertThat(title.getText()).isEqualTo(TITLE);
        assertThat(title.getAttribute("href")).isEqualTo(server.base() + "/?p=" + post);
        assertThat(browser.findElement(By.tagName("article")).getCssValue("border-top-width"))
                .isEqualTo("1px");
    }

    @Test
    void approvesAnApplicationOnTheAuthorisationPage() {
        String page = client.get("/").text("/authentication/application-passwords/endpoints/authorization");
        String back = elsewhere.base() + "/back";
        elsewhere.page("/back", "", "<!DOCTYPE html><title>Back</title><h1 id=back>Back at the application</h1>");
        browser.get(page + "?" + Query.of("app_name", "Browser test", "success_url", back));

        browser.findElement(By.name("login")).sendKeys(admin.login());
        browser.findElement(By.name("password")).sendKeys(admin.signInPassword());
        browser.findElement(By.cssSelector("button[value=sign-in]")).click();
        browser.findElement(By.cssSelector("button[value=approve]")).click();
        browser.findElement(By.id("back"));

        Map<String, String> told = Query.parameters(Objects.requireNonNull(browser.getCurrentUrl()));
        assertThat(told.get("user_login")).isEqualTo(admin.login());
        String credentials = Account.basic(admin.login(), told.getOrDefault("password", ""));
        Answer answer = client.with("Authorization", credentials).get("/cms/v2/posts?context=edit");
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void livePageShowsAGaugeThatDrainsAndWhetherTheStoreAnswers() throws IOException {
        signIn("/limits/live");
        browser.findElement(By.cssSelector("#connection.on"));
        browser.findElement(By.cssSelector(GAUGE + "[aria-valuenow='300']"));

        SiteClient site = new SiteClient(server.base());
        String token = site.callAddress("POST", "/api/v1/widget/init").send().text("/token");
        SiteClient visitor = site.with("Authorization", "Bearer " + token);
        ask(visitor, 200);

        assertThat(browser.findElement(By.cssSelector(GAUGE + "[aria-valuenow='100']"))
                        .getAttribute("aria-valuetext"))
                .startsWith("100 left of 300, resets in ");
        seen("store", "Answers");
        pictures("live");

        take(site, true);
        ask(visitor, 1);
        seen("store", "Away");
        take(site, false);
        assertThat(site.with("Authorization", "Bearer " + token)
                        .open(server.base() + "/api/v1/widget/conversation")
                        .header("X-RateLimit-Remaining"))
                .as("what was counted before")
                .contains("99");
    }

    /** The first click is on the address that the start prints. */
    @Test
    void demonstrationDrainsAGaugeAtTheSecondClickAndAsksNobodyToSignIn() {
        ChromeDriver stranger = Browsers.start(); // whom the server does not know
        try {
            stranger.get(server.base() + "/demo");
            WebElement gauge = stranger.findElement(By.id("gauge"));
            WebElement fill = gauge.findElement(By.className("fill"));
            int full = fill.getSize().getWidth();
            stranger.executeScript("""
                    window.seen = [];
                    new MutationObserver(() => window.seen.push(Number(arguments[0].getAttribute("aria-valuenow"))))
                        .observe(arguments[0], { attributeFilter: ["aria-valuenow"] });
                    """, gauge);

            stranger.findElement(By.id("burst")).click();

            stranger.findElement(By.cssSelector("#gauge[aria-valuenow='0']"));
            assertThat((List<?>) stranger.executeScript("return window.seen"))
                    .as("it drains and does not jump")
                    .hasSizeGreaterThan(5)
                    .isSortedAccordingTo(Comparator.comparingLong(value -> -((Number) value).longValue()));
            assertThat(full).isGreaterThan(200);
            stranger.findElement(By.xpath("//*[@id='left'][contains(., 'queued, retrying in')]"));
            assertThat(fill.getSize().getWidth()).isLessThan(full);
            assertThat(stranger.findElement(By.id("response")).getText())
                    .startsWith("429")
                    .contains("retry-after: ", "x-ratelimit-remaining: 0");
        } finally {
            stranger.quit();
        }
    }

    @Test
    void widgetIsRejectedWaitsAndGoesOnByItselfBesideTheLivePage() throws IOException {
        signIn("/limits/live");
        browser.get(server.base() + "/demo");
        browser.findElement(By.id("watch")).click();
        browser.switchTo().frame(browser.findElement(By.cssSelector("#live iframe")));
        browser.findElement(By.cssSelector("#limiter-widget-leads [role=meter][aria-valuenow='30']"));
        browser.switchTo().defaultContent();
        assertThat(browser.findElement(By.id("watch")).isDisplayed()).isFalse();

        browser.findElement(By.id("burst")).click();
        browser.findElement(By.cssSelector("#dots .rejected"));
        browser.switchTo().frame(browser.findElement(By.cssSelector("#live iframe")));
        browser.findElement(By.cssSelector("#limiter-widget-leads [role=meter][aria-valuenow='0']"));
        browser.switchTo().defaultContent();
        pictures("demo");

        seen("told", "All 40 requests passed");
        SearchContext widget = browser.findElement(By.tagName("support-chat")).getShadowRoot();
        assertThat(widget.findElement(By.cssSelector("[role=status]")).getAttribute("textContent"))
                .isEqualTo("Sent.");
    }

    /** What the page of the widget's document says that a strict page has to allow, and nothing else. */
    @Test
    void widgetWorksOnAPageElsewhereThatAllowsTheServerAndNothingElse() throws IOException {
        String policy =
                "default-src 'none'; script-src %1$s/widget.js; connect-src %1$s/api/v1/widget/; require-trusted-types-for 'script'; trusted-types 'none'"
                        .formatted(server.base());
        String page = """
                <!DOCTYPE html><html lang="en"><title>Another shop</title>
                <script src="%s/widget.js" defer data-suggestions="When is the shop open?|Where are you?"></script>
                """.formatted(server.base());
        elsewhere.page("/", policy, page);
        browser.get(elsewhere.base() + "/");
        SearchContext widget = browser.findElement(By.tagName("support-chat")).getShadowRoot();
        widget.findElement(By.cssSelector(".launcher")).click();
        widget.findElement(By.cssSelector(".chips button")).click();

        assertThat(widget.findElement(By.cssSelector(".assistant")).getText()).contains("Monday to Friday");
        assertThat(widget.findElement(By.cssSelector("[data-lane=messages]")).getText())
                .contains("299 of 300 left, resets in ");
        assertThat(widget.findElement(By.cssSelector(".launcher")).getCssValue("position"))
                .as("its style holds")
                .isEqualTo("fixed");
        browser.get(server.base() + "/demo");
        widget = browser.findElement(By.tagName("support-chat")).getShadowRoot();
        widget.findElement(By.cssSelector(".launcher")).click();
        widget.findElement(By.cssSelector("input")).sendKeys("When is the shop open?\n");
        widget.findElement(By.cssSelector(".assistant"));
        pictures("widget");
    }

    /** Once with the password in the address, as a person types it; from then on the browser knows it. */
    private void signIn(String path) {
        String credentials = admin.login() + ":" + admin.signInPassword() + "@";
        browser.get(server.base().replace("://", "://" + credentials) + path);
        browser.get(server.base() + path);
    }

    private static void ask(SiteClient visitor, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(visitor.open("/api/v1/widget/conversation").status()).isEqualTo(200);
        }
    }

    private void take(SiteClient site, boolean away) {
        Answer taken = site.with("Authorization", Account.basic(admin.login(), admin.signInPassword()))
                .callAddress("PUT", "/demo/store")
                .json("{\"away\": " + away + "}")
                .send();
        assertThat(taken.status()).isEqualTo(200);
    }

    /** Waits until an element has that text. */
    private void seen(String id, String text) {
        browser.findElement(By.xpath("//*[@id='%s' and text()='%s']".formatted(id, text)));
    }

    /** In each width and each theme; nothing is wider than the page, and nobody is kept from using it. */
    private void pictures(String name) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "screenshots"));
        for (int width : List.of(1280, 360)) {
            String theme = width == 1280 ? "light" : "dark";
            browser.executeCdpCommand(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", false));
            browser.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
            Object height = browser.executeScript("return document.documentElement.scrollHeight");
            Object picture = browser.executeCdpCommand(
                            "Page.captureScreenshot",
                            Map.of(
                                    "captureBeyondViewport",
                                    true,
                                    "clip",
                                    Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)))
                    .get("data");
            Files.write(
                    folder.resolve("%s-%d-%s.png".formatted(name, width, theme)),
                    Base64.getDecoder().decode(String.valueOf(picture)));
            assertThat(Axe.violations(browser))
                    .as("%s at %d, %s", name, width, theme)
                    .isEmpty();
            assertThat(browser.executeScript(
                            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .as("what is wider than %s at %d", name, width)
                    .isEqualTo(0L);
        }
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    private String publish(String title, String content) {
        var fields = JsonNodeFactory.instance.objectNode().put("title", title).put("status", "publish");
        Answer answer = client.as("admin").post("/cms/v2/posts", fields.put("content", content));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.text("/id");
    }
}
