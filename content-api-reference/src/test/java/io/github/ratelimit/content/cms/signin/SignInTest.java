package io.github.ratelimit.content.cms.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SignInVisit;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.test.TestClock;
import jakarta.servlet.ServletContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.context.WebApplicationContext;

/** How long somebody is signed in to the page of applications, by which cookie, and what a form of the page is worth. */
class SignInTest {
    private static final String PAGE = "/authorize-application?app_name=Tool";
    private static final String KEY = "c2lnbi1pbi10ZXN0LXNpZ24taW4tdGVzdC1zaWduLWlu";
    private static final Account ADMIN = Accounts.standard().get("admin");

    private static final TestClock clock = new TestClock();

    @AutoClose
    private static ReferenceServer server;

    @BeforeAll
    static void start() {
        server = start("");
    }

    private static ReferenceServer start(String baseUrl) {
        return ReferenceServer.start(
                Database.H2,
                ReferenceServer.with(clock),
                "--content-api.server-key=" + KEY,
                "--content-api.base-url=" + baseUrl);
    }

    @Test
    void signInLastsAQuarterOfAnHourHoweverOftenThePageIsOpened() {
        SignInVisit visit = signedIn();
        for (int minute = 0; minute < 14; minute++) {
            clock.advance(Duration.ofMinutes(1));
            assertThat(visit.isSignedIn()).as("minute %d", minute).isTrue();
        }
        clock.advance(Duration.ofSeconds(59));
        assertThat(visit.isSignedIn()).isTrue();

        clock.advance(Duration.ofSeconds(1));

        assertThat(visit.isSignedIn()).isFalse();
        assertThat(visit.submit("approve", "name", "Tool").status()).isEqualTo(403);
    }

    /** As a browser that was given it: it forgets a cookie that was not given once more. */
    @Test
    void eachPageWithAFormLastsAQuarterOfAnHour() {
        SignInVisit visit = SignInVisit.open(site(server), PAGE);
        String cookie = visit.cookie();
        for (Answer page : List.of(visit.get(), visit.signIn(ADMIN.login(), "wrong"))) {
            assertThat(page.headers().allValues("Set-Cookie"))
                    .singleElement()
                    .satisfies(
                            given -> assertThat(given).startsWith(cookie + ";").contains("; Max-Age=900"));
        }
        assertThat(visit.signIn(ADMIN.login(), ADMIN.signInPassword()).status()).isEqualTo(303);
        assertThat(visit.get().headers().allValues("Set-Cookie"))
                .singleElement()
                .satisfies(given -> assertThat(given).startsWith(visit.cookie() + ";"));
    }

    @Test
    void formSaysItsTokenItself() {
        SignInVisit visit = signedIn();
        for (String header : List.of("X-XSRF-TOKEN", "X-CSRF-TOKEN", "form_token")) {
            Answer sent = visit.call("POST")
                    .header(header, visit.token())
                    .form(Query.of("action", "approve", "name", "Tool"))
                    .send();
            assertThat(sent.status()).as(header).isEqualTo(403);
        }
        Answer both = visit.call("POST")
                .header("X-XSRF-TOKEN", "of another page")
                .form(Query.of("action", "approve", "name", "Tool", "form_token", visit.token()))
                .send();
        assertThat(both.status()).isEqualTo(200);
    }

    /** Who made somebody else use a visit that he knows must not be signed in by it. */
    @Test
    void signInHasACookieOfItsOwn() {
        SignInVisit known = SignInVisit.open(site(server), PAGE);
        SignInVisit visit = new SignInVisit(site(server), PAGE, known.cookie(), known.token());

        visit.signIn(ADMIN.login(), ADMIN.signInPassword());

        assertThat(visit.isSignedIn()).isTrue();
        assertThat(visit.cookie()).isNotEqualTo(known.cookie());
        assertThat(known.isSignedIn()).isFalse();
    }

    @Test
    void methodsThatThePageDoesNotOfferAreRejectedAsElsewhere() {
        for (String method : List.of("PUT", "PATCH", "DELETE", "OTHER")) {
            Answer answer = site(server).callAddress(method, PAGE).send();
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("Allow").orElse("")).as(method).contains("GET", "POST");
            assertThat(answer.header("Set-Cookie")).as(method).isEmpty();
        }
    }

    @Test
    void cookieIsForThisPageAlone() {
        Answer page = site(server).open(PAGE);
        assertThat(page.headers().allValues("Set-Cookie"))
                .singleElement()
                .satisfies(cookie -> assertThat(cookie)
                        .startsWith("authorize-visit=")
                        .contains("; Path=/authorize-application", "; Max-Age=900", "; HttpOnly", "; SameSite=Lax")
                        .doesNotContain("Secure", "Domain"));
        SignInVisit visit = SignInVisit.open(site(server), PAGE);
        Answer entered = visit.signIn(ADMIN.login(), ADMIN.signInPassword());
        assertThat(entered.headers().allValues("Set-Cookie"))
                .singleElement()
                .satisfies(cookie -> assertThat(cookie)
                        .contains("; Path=/authorize-application", "; Max-Age=900", "; HttpOnly", "; SameSite=Lax"));
        assertThat(entered.header("Location")).contains(PAGE);
        assertThat(entered.header("Cache-Control")).contains("no-store");
        assertThat(entered.header("Referrer-Policy")).contains("no-referrer");
    }

    @Test
    void whoeverSignsOutOrDecidesIsSignedOut() {
        for (String action : new String[] {"sign-out", "reject", "approve"}) {
            SignInVisit visit = signedIn();
            SignInVisit elsewhere = new SignInVisit(site(server), PAGE, visit.cookie(), visit.token());

            assertThat(visit.submit(action, "name", "Tool").status()).as(action).isLessThan(400);

            assertThat(elsewhere.isSignedIn()).as(action).isFalse();
        }
    }

    @Test
    void formsOfOneVisitAreNoneOfAnother() {
        SignInVisit stranger = SignInVisit.open(site(server), PAGE);
        SignInVisit visit = SignInVisit.open(site(server), PAGE);
        SignInVisit mixed = new SignInVisit(site(server), PAGE, visit.cookie(), stranger.token());
        assertThat(mixed.signIn(ADMIN.login(), ADMIN.signInPassword()).status()).isEqualTo(403);

        SignInVisit signedIn = signedIn();
        for (String token : new String[] {visit.token(), stranger.token(), ""}) {
            SignInVisit forged = new SignInVisit(site(server), PAGE, signedIn.cookie(), token);
            assertThat(forged.submit("approve", "name", "Tool").status()).isEqualTo(403);
        }
        assertThat(signedIn.submit("approve", "name", "Tool").status()).isEqualTo(200);
    }

    /** Visits of strangers take no memory, and people do not begin again where another server of the site answers. */
    @Test
    void visitIsKeptNowhereUntilSomebodySignsIn() {
        SignInVisit visit = SignInVisit.open(site(server), PAGE);
        try (ReferenceServer other = start("https://site.test")) {
            SignInVisit there = new SignInVisit(site(other), PAGE, visit.cookie(), visit.token());

            Answer entered = there.signIn(ADMIN.login(), ADMIN.signInPassword());

            assertThat(entered.status()).isEqualTo(303);
            assertThat(entered.header("Set-Cookie").orElse("")).contains("; Secure");
            assertThat(there.isSignedIn()).isTrue();
            assertThat(new SignInVisit(site(server), PAGE, there.cookie(), "").isSignedIn())
                    .as("kept in one process")
                    .isFalse();
        }
    }

    /** RFC 8252, section 7.3: an application on the visitor's own computer listens without a certificate. */
    @Test
    void publicSiteLeadsToNoOtherComputerWithoutEncryption() {
        try (ReferenceServer other = start("https://site.test")) {
            for (String here : List.of("http://127.0.0.1:51004/", "http://[::1]:51004/", "app://done")) {
                assertThat(asked(other, here).status()).as(here).isEqualTo(200);
            }
            for (String elsewhere : List.of("http://app.test/", "http://127.0.0.1.app.test/", "http://1270.0.0.1/")) {
                assertThat(asked(other, elsewhere).status()).as(elsewhere).isEqualTo(400);
            }
        }
    }

    private static Answer asked(ReferenceServer server, String back) {
        return site(server).open(PAGE + "&success_url=" + Query.encode(back));
    }

    @Test
    void noSpellingOfThePagesAddressPassesItsFilter() {
        for (String path : List.of("/authorize-application;x=1", "/%61uthorize-application", PAGE + "&x=;")) {
            assertThat(post(path).text()).as(path).contains("cookies are blocked");
        }
        for (String path : List.of(
                "/authorize-application/",
                "//authorize-application",
                "/x/../authorize-application",
                "/authorize-application%2f",
                "/Authorize-Application")) {
            assertThat(post(path).status()).as(path).isIn(400, 404, 405);
        }
    }

    @Test
    void noOtherRequestMeetsSpringSecurity() {
        ServletContext servlets =
                Objects.requireNonNull(((WebApplicationContext) server.context()).getServletContext());
        assertThat(servlets.getFilterRegistrations().values())
                .filteredOn(filter -> String.valueOf(filter.getClassName()).contains(".security.web."))
                .singleElement()
                .satisfies(filter -> {
                    assertThat(filter.getUrlPatternMappings()).containsExactly("/authorize-application");
                    assertThat(filter.getServletNameMappings()).isEmpty();
                });
        for (String path : List.of(
                "/",
                "/?rest_route=/batch/v1",
                "/index.php?rest_route=/cms/v2/posts/1;x",
                "/index.php?rest_route=/cms/v2//posts%2f",
                "/api/v1/widget/init",
                "/api/v1/widget/init;x=1",
                "/v1/cms/documents",
                "/actuator/health",
                "/authorize-applications")) {
            for (String method : List.of("GET", "POST")) {
                Answer answer = site(server).callAddress(method, path).send();
                assertThat(answer.status()).as(method + path).isNotEqualTo(403);
                assertThat(answer.headers().map().keySet())
                        .as(method + path)
                        .doesNotContain("set-cookie", "x-xss-protection", "pragma", "expires");
            }
        }
    }

    private static Answer post(String path) {
        return site(server)
                .callAddress("POST", path)
                .form(Query.of("action", "sign-in"))
                .send();
    }

    private static SignInVisit signedIn() {
        SignInVisit visit = SignInVisit.open(site(server), PAGE);
        assertThat(visit.signIn(ADMIN.login(), ADMIN.signInPassword()).status()).isEqualTo(303);
        assertThat(visit.isSignedIn()).isTrue();
        return visit;
    }

    private static SiteClient site(ReferenceServer server) {
        return new SiteClient(server.base());
    }
}
