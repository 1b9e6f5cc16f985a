package io.github.ratelimit.content.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.browser.ScriptedServer.Asked;
import io.github.ratelimit.content.browser.ScriptedServer.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.ScriptTimeoutException;
import org.openqa.selenium.SearchContext;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.core.io.ClassPathResource;

/** The widget and the live page before a server that rejects, breaks off and comes back, in a browser whose clock is moved by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TroubledServerTest {

    private static final String MESSAGES = "/api/v1/widget/messages";
    private static final String INIT = "/api/v1/widget/init";
    private static final String EVENTS = "/live/events";

    private ScriptedServer server;
    private ChromeDriver browser;
    private String clock = "";

    @BeforeAll
    void start() throws IOException {
        Browsers.assumeInstalled();
        server = new ScriptedServer();
        server.file(
                "/",
                "text/html",
                "<!DOCTYPE html><html lang=en><title>A page</title><script src=/widget.js defer></script>");
        browser = Browsers.start();
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void letGoOfClockAndNetwork() {
        connect(true);
        if (!clock.isEmpty()) {
            browser.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", clock));
            clock = "";
        }
    }

    @Test
    void slowsDownBelowFiveLeft() throws Exception {
        SearchContext widget = open(0);
        server.replies(MESSAGES, answered(4, 50));
        ask(widget, "one");
        server.asked(MESSAGES);
        seen("4 of 300 left");

        ask(widget, "two");
        seen("slowed down, next in 10 s"); // 50 s for the four, and a new budget
        advance(9_000);
        seen("slowed down, next in 1 s");
        assertThat(server.unseen(MESSAGES)).isZero();
        advance(1_500);
        assertThat(server.asked(MESSAGES).body()).contains("two");
    }

    @Test
    void countsDownAfterARejectionAndGoesOnByItself() throws Exception {
        SearchContext widget = open(0);
        server.replies(MESSAGES, rejected(429, "Retry-After", "7"), answered(299, 60));
        ask(widget, "one");
        Asked first = server.asked(MESSAGES);
        seen("1 queued, retrying in 7 s");
        told("Too many requests. Retrying in 7 seconds.");
        advance(3_000);
        seen("1 queued, retrying in 4 s");
        assertThat(server.unseen(MESSAGES)).isZero();
        advance(4_500);
        assertThat(server.asked(MESSAGES)).as("the same request").isEqualTo(first);
        answeredIn(widget);
        told("Sent.");
    }

    /** Instead of an answer: there is no network. */
    private static final Reply LOST = Reply.of(0, "");

    /** A trouble: what is asked, what is answered once, and how long the widget waits at most. */
    private record Trouble(String path, Reply reply, int seconds, String told) {

        @Override
        public String toString() {
            return path + " " + reply.status() + " " + reply.fields();
        }
    }

    private static List<Trouble> troubles() {
        String late = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plusSeconds(600).atZone(ZoneOffset.UTC));
        return List.of(
                new Trouble(MESSAGES, LOST, 3, "No connection."),
                new Trouble(INIT, LOST, 3, "No connection."),
                new Trouble(INIT, Reply.of(502, "<h1>Bad gateway</h1>"), 3, "No connection."),
                new Trouble(INIT, Reply.of(200, "{}"), 3, "No connection."),
                new Trouble(INIT, rejected(429, "Retry-After", "5"), 6, ""),
                new Trouble(MESSAGES, rejected(503, "Retry-After", "5"), 6, "The server is busy."),
                new Trouble(MESSAGES, rejected(503, "X-Without", "a time"), 3, "The server is busy."),
                new Trouble(MESSAGES, rejected(503, "Retry-After", late), 601, "The server is busy."),
                new Trouble(MESSAGES, Reply.of(401, "{}"), 0, ""));
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void goesOnByItselfWhateverHappened(Trouble trouble) throws Exception {
        SearchContext widget = open(0);
        server.replies(MESSAGES, answered(299, 60));
        boolean isLost = trouble.reply().equals(LOST);
        Reply served = trouble.path().equals(INIT) ? begun() : answered(299, 60);
        server.replies(trouble.path(), isLost ? served : trouble.reply(), served);
        connect(!isLost);
        ask(widget, "one");
        if (!isLost) {
            server.asked(trouble.path());
        }
        if (trouble.seconds() > 0) {
            told(trouble.told());
            eventually("[...chat.client.lanes.values()].some((lane) => lane.wait() > 0)");
            connect(true);
            advance(trouble.seconds() * 1000L);
        }
        server.asked(trouble.path());
        answeredIn(widget);
    }

    @Test
    void conversationThatTheServerWillNotBeginIsToldAndNotAskedForAgain() throws Exception {
        SearchContext widget = open(0);
        server.replies(INIT, Reply.of(422, "{\"error\":{\"message\":\"No such workspace.\"}}"));
        server.replies(MESSAGES, answered(299, 60));
        ask(widget, "one");
        assertThat(widget.findElement(By.cssSelector(".log .assistant")).getText())
                .isEqualTo("No such workspace.");
        server.asked(INIT);
        advance(60_000);
        assertThat(server.unseen(INIT)).isZero();

        server.replies(INIT, begun());
        ask(widget, "two");
        assertThat(server.asked(MESSAGES).body()).contains("two");
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600_000, 3_600_000})
    void browserWhoseClockIsWrongByAnHourSeesTheTimeThatIsLeft(long skew) throws IOException {
        SearchContext widget = open(skew);
        server.replies(MESSAGES, answered(250, 50));
        ask(widget, "one");
        seen("250 of 300 left, resets in ");
        String left = widget.findElement(By.cssSelector("[data-lane=messages] .left"))
                .getText()
                .replaceAll(".* resets in (\\d+) s", "$1");
        assertThat(Integer.parseInt(left)).isBetween(40, 50);
    }

    @Test
    void livePageSaysThatTheServerIsAwayAndShowsWhatComesBackAndNothingElse() throws Exception {
        setClock(3_600_000);
        server.replies(
                EVENTS,
                frame(limiter("api", rule("burst", 40), rule("hourly", 900)), inShadow("gone", rule("gone", 5))));
        browser.get(server.base() + "/live#limiter-gone");
        browser.findElement(By.cssSelector("#connection.on"));
        assertThat(browser.findElement(By.cssSelector("#limiter-api [role=meter]"))
                        .getAttribute("aria-valuetext"))
                .isEqualTo("40 left of 1,000, resets in 50 s");
        assertThat(titles()).containsExactly("api", "gone");
        assertThat(browser.findElement(By.cssSelector("#limiter-api .rate")).getText())
                .startsWith("1 request per second");
        assertThat(browser.findElement(By.id("store-words")).getText()).isEqualTo("The store decides. In memory.");
        assertThat(browser.findElement(By.id("keys")).getText()).contains("k1 api burst 15", "k2 gone (shadow) gone 7");

        server.replies(EVENTS, Reply.of(503, ""));
        server.asked(EVENTS);
        browser.findElement(By.xpath("//*[@id='connection'][starts-with(., 'Connection lost, data from ')]"));

        String hostile = "<img src=x onerror=document.title='owned'>";
        server.replies(EVENTS, frame(limiter(hostile, rule(hostile, 3)), limiter("api", rule("burst", 39)), UPLOADS));
        advance(10_000);
        browser.findElement(By.cssSelector("#limiter-api [aria-valuenow='39']"));
        assertThat(titles()).containsExactly(hostile, "api", "uploads");
        assertThat(browser.findElement(By.cssSelector("#limiter-uploads .rule")).getText())
                .contains("1 GiB per day", "1.4 MiB left");
        assertThat(browser.findElements(By.cssSelector("#limiter-api .rule"))).hasSize(1);
        assertThat(browser.getTitle()).isEqualTo("Live limits");
    }

    @Test
    void axeSeesWhatIsWrong() {
        server.file(
                "/wrong",
                "text/html",
                "<!DOCTYPE html><html lang=en><title>Wrong</title><main><h1>Wrong</h1><img src='data:,'></main>");
        browser.get(server.base() + "/wrong");
        assertThat(Axe.violations(browser)).singleElement().asString().startsWith("image-alt: ");
    }

    private List<String> titles() {
        return browser.findElements(By.cssSelector("#limiters h3")).stream()
                .map(WebElement::getText)
                .toList();
    }

    private static String rule(String name, int remaining) {
        return "{\"name\":\"%s\",\"permits\":1000,\"windowMillis\":60000,\"remaining\":%d,\"resetMillis\":50000}"
                .formatted(name, remaining);
    }

    private static final String UPLOADS = limiter("uploads", """
            {"name":"uploads","permits":1073741824,"windowMillis":86400000,"remaining":1500000,"resetMillis":50000}""");

    private static String inShadow(String name, String... rules) {
        return limiter(name, rules).replace("\"shadow\":false", "\"shadow\":true");
    }

    private static String limiter(String name, String... rules) {
        return """
                {"name":"%s","shadow":false,"onStoreFailure":"local","allowedRate":1,"rejectedRate":0,"allowed":[1],"rejected":[0],"rules":[%s]}\
                """.formatted(name, String.join(",", rules));
    }

    /** One frame, and the end of the stream: the browser comes back after a second, for the next one. */
    private static Reply frame(String... limiters) {
        return new Reply(200, Map.of("Content-Type", "text/event-stream"), """
                retry: 100
                data: {"at":0,"secondsAPoint":10,"store":{"kind":"InProcessStore","state":"answering"},"changes":[],"limiters":[%s],"rejected":[{"key":"k1","limiter":"api","rule":"burst","count":15,"error":0},{"key":"k2","limiter":"gone","rule":"gone","count":7,"error":0}]}

                """.formatted(String.join(",", limiters)));
    }

    private static Reply begun() {
        return Reply.of(200, "{\"token\":\"t\"}");
    }

    private static Reply rejected(int status, String field, String value) {
        Map<String, String> fields = new HashMap<>(budget(0, 60));
        fields.put(field, value);
        return new Reply(status, fields, "{}");
    }

    private static Reply answered(int left, int resetIn) {
        return new Reply(201, budget(left, resetIn), "{\"answer\":{\"text\":\"An answer\"}}");
    }

    private static Map<String, String> budget(int left, int resetIn) {
        String reset = Long.toString(Instant.now().getEpochSecond() + resetIn);
        return Map.of("X-RateLimit-Limit", "300", "X-RateLimit-Remaining", "" + left, "X-RateLimit-Reset", reset);
    }

    private SearchContext open(long skew) throws IOException {
        setClock(skew);
        server.replies(INIT, begun());
        browser.get(server.base() + "/");
        SearchContext widget = browser.findElement(By.tagName("support-chat")).getShadowRoot();
        widget.findElement(By.cssSelector(".launcher")).click();
        return widget;
    }

    private void setClock(long skew) throws IOException {
        String script = new ClassPathResource("browser/clock.js")
                .getContentAsString(StandardCharsets.UTF_8)
                .formatted(skew);
        clock = String.valueOf(
                browser.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                        .get("identifier"));
    }

    /** Takes the network away, or gives it back. */
    private void connect(boolean is) {
        browser.executeCdpCommand("Network.enable", Map.of());
        browser.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", !is, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    private void advance(long millis) {
        browser.executeScript("advance(arguments[0])", millis);
    }

    private static void ask(SearchContext widget, String text) {
        widget.findElement(By.cssSelector("input")).sendKeys(text + "\n");
    }

    private static void answeredIn(SearchContext widget) {
        assertThat(widget.findElement(By.cssSelector(".log .assistant")).getText())
                .isEqualTo("An answer");
    }

    private void seen(String text) {
        shows("[data-lane=messages] .left", text);
    }

    private void told(String text) {
        shows("[role=status]", text);
    }

    /** Waits until an element of the widget begins with that text. */
    private void shows(String selector, String text) {
        eventually("chat.shadowRoot.querySelector(given[0])?.textContent.startsWith(given[1])", selector, text);
    }

    /** Waits until that is true in the page, in the time of those who wait for it. */
    private void eventually(String expression, String... given) {
        try {
            browser.executeAsyncScript("""
                    const [given, done] = arguments;
                    const chat = document.querySelector("support-chat");
                    const look = () => (%s) ? done() : waitReally(look, 20);
                    look();
                    """.formatted(expression), List.of(given));
        } catch (ScriptTimeoutException e) {
            throw new AssertionError(
                    "never: %s %s, but: %s"
                            .formatted(
                                    expression,
                                    List.of(given),
                                    browser.executeScript(
                                            "return document.querySelector('support-chat').shadowRoot.querySelector('.panel').innerText")),
                    e);
        }
    }
}
