package io.github.ratelimit.content.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import tools.jackson.databind.node.JsonNodeFactory;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserTest {

    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final String TITLE = "Seen in a browser";

    private final Account admin = Accounts.standard().get("admin");
    private ReferenceServer server;
    private SiteClient client;
    private HttpServer elsewhere;
    private WebDriver browser;
    private String post;
    private volatile String hostPage = "";

    @BeforeAll
    void start() throws IOException {
        boolean isRequired = "1".equals(System.getenv("REQUIRE_BROWSER"));
        assumeTrue(isRequired || (BROWSER.exists() && DRIVER.exists()), "no browser is installed");
        server = ReferenceServer.start(Database.H2);
        client = new SiteClient(server.base());
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            byte[] body = hostPage.getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html; charset=UTF-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        elsewhere.start();
        browser = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(),
                new ChromeOptions()
                        .setBinary(BROWSER)
                        .addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"));
        browser.manage().timeouts().implicitlyWait(Duration.ofSeconds(20));
        post = publish();
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (elsewhere != null) {
            elsewhere.stop(0);
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void showsThePublicPageAndRunsNothingInIt() {
        browser.get(server.base() + "/?p=" + post);

        assertThat(browser.findElement(By.tagName("h1")).getText()).isEqualTo(TITLE);
        assertThat(browser.findElement(By.tagName("body")).getText()).contains("Words of the text");
        // The author may write scripts; the page does not let them run.
        assertThat(browser.getTitle()).contains(TITLE).doesNotContain("owned");
    }

    @Test
    void showsTheEmbedPageInAFrameOfAnotherSite() {
        Answer described = client.call("GET", "/oembed/1.0/embed", Query.of("url", server.base() + "/?p=" + post))
                .send();
        hostPage = "<!DOCTYPE html><title>Another site</title>"
                + described.json().path("html").asString();

        browser.get("http://localhost:" + elsewhere.getAddress().getPort() + "/");
        browser.switchTo().frame(browser.findElement(By.tagName("iframe")));

        WebElement title = browser.findElement(By.cssSelector("h1 a"));
        assertThat(title.getText()).isEqualTo(TITLE);
        assertThat(title.getAttribute("href")).isEqualTo(server.base() + "/?p=" + post);
        assertThat(browser.findElement(By.tagName("article")).getCssValue("border-top-width"))
                .isEqualTo("1px");
    }

    @Test
    void approvesAnApplicationOnTheAuthorisationPage() {
        String page = client.call("GET", "/")
                .send()
                .json()
                .path("authentication")
                .path("application-passwords")
                .path("endpoints")
                .path("authorization")
                .asString();
        String back = "http://localhost:" + elsewhere.getAddress().getPort() + "/back";
        hostPage = "<!DOCTYPE html><title>Back</title><h1 id=back>Back at the application</h1>";
        browser.get(page + "?" + Query.of("app_name", "Browser test", "success_url", back));

        browser.findElement(By.name("login")).sendKeys(admin.login());
        browser.findElement(By.name("password")).sendKeys("sign-in-of-" + admin.login());
        browser.findElement(By.cssSelector("button[value=sign-in]")).click();
        browser.findElement(By.cssSelector("button[value=approve]")).click();
        browser.findElement(By.id("back"));

        Map<String, String> told = parameters(Objects.requireNonNull(browser.getCurrentUrl()));
        assertThat(told.get("user_login")).isEqualTo(admin.login());
        String credentials = told.get("user_login") + ":" + told.get("password");
        Answer answer = client.call("GET", "/cms/v2/posts", Query.of("context", "edit"))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8)))
                .send();
        assertThat(answer.status()).isEqualTo(200);
    }

    private String publish() {
        Answer answer = client.call("POST", "/cms/v2/posts")
                .as(admin)
                .json(JsonNodeFactory.instance
                        .objectNode()
                        .put("title", TITLE)
                        .put("status", "publish")
                        .put("content", "<p>Words of the text.</p><script>document.title='owned'</script>"))
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json().path("id").asString();
    }

    private static Map<String, String> parameters(String address) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : URI.create(address).getRawQuery().split("&")) {
            String[] parts = pair.split("=", 2);
            parameters.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
        }
        return parameters;
    }
}
