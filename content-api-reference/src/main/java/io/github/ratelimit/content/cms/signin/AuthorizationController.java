package io.github.ratelimit.content.cms.signin;

import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.html.HtmlPage;
import io.github.ratelimit.content.server.html.Pages;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/** The authorisation page, at the address that the index advertises. */
@Controller
class AuthorizationController {
    static final String PATH = "/authorize-application";

    private final CmsSettings.Site site;
    private final SiteAddress address;
    private final Accounts accounts;
    private final ApplicationPasswords passwords;
    private final Sessions sessions;
    private final GuessLimit guesses;
    private final Pages pages;

    AuthorizationController(
            CmsSettings.Site site,
            SiteAddress address,
            Accounts accounts,
            ApplicationPasswords passwords,
            Sessions sessions,
            GuessLimit guesses,
            Pages pages) {
        this.site = site;
        this.address = address;
        this.accounts = accounts;
        this.passwords = passwords;
        this.sessions = sessions;
        this.guesses = guesses;
        this.pages = pages;
    }

    /** One request to the page, with what it needs to answer. */
    private record Visit(
            HttpServletRequest http, HttpServletResponse response, String baseUrl, AuthorizationRequest wish) {

        String parameter(String name) {
            return AuthorizationRequest.parameter(http, name);
        }
    }

    /** Answers a visit. */
    @FunctionalInterface
    private interface Answering {
        void answer(Visit visit) throws IOException;
    }

    @GetMapping(PATH)
    void show(HttpServletRequest http, HttpServletResponse response) throws IOException {
        begin(http, response, visit -> {
            Optional<Account> account = sessions.find(http);
            if (account.isPresent()) {
                showQuestion(visit, account.get());
            } else {
                showSignIn(visit, null, 200);
            }
        });
    }

    @PostMapping(PATH)
    void act(HttpServletRequest http, HttpServletResponse response) throws IOException {
        begin(http, response, this::act);
    }

    private void act(Visit visit) throws IOException {
        String action = visit.parameter("action");
        if (action.equals("sign-in")) {
            signIn(visit);
            return;
        }
        Optional<Account> account = sessions.find(visit.http());
        if (account.isEmpty()) {
            showSignIn(visit, "Your visit took too long. Please sign in again.", 403);
            return;
        }
        switch (action) {
            case "approve" -> approve(visit, account.get());
            case "reject" -> reject(visit);
            default -> {
                sessions.signOut(visit.http());
                redirect(visit, PATH + "?" + visit.wish().query());
            }
        }
    }

    /** Answers a form that is not of the visit that sends it. */
    void rejectForm(HttpServletRequest http, HttpServletResponse response) throws IOException {
        String problem = "Your visit took too long, or cookies are blocked. Please sign in again.";
        begin(http, response, visit -> showSignIn(visit, problem, 403));
    }

    private void begin(HttpServletRequest http, HttpServletResponse response, Answering answering) throws IOException {
        String baseUrl = address.of(http);
        try {
            AuthorizationRequest wish = AuthorizationRequest.of(http, baseUrl);
            Visit visit = new Visit(http, response, baseUrl, wish);
            if (passwords.isEnabled()) {
                answering.answer(visit);
            } else {
                HtmlPage page = rejection("Application passwords are not available.", baseUrl);
                leave(visit, wish.disabled(), page, 501);
            }
        } catch (AuthorizationRequest.InvalidException invalid) {
            // Nowhere to go back to: what cannot be trusted to be an address is not followed.
            rejection(String.valueOf(invalid.getMessage()), baseUrl).send(response, 400);
        }
    }

    private void signIn(Visit visit) throws IOException {
        try {
            Optional<Account> account = guesses.begin(visit.http())
                    .find(() -> accounts.signIn(visit.parameter("login"), visit.parameter("password")));
            if (account.isPresent()) {
                sessions.signIn(account.get().id(), visit.http(), visit.response());
                redirect(visit, PATH + "?" + visit.wish().query());
            } else {
                showSignIn(visit, "The user name or the password is wrong.", 403);
            }
        } catch (Guess.TooManyException tooMany) {
            visit.response().setHeader("Retry-After", tooMany.retryAfter());
            showSignIn(visit, "Too many attempts. Please wait a minute and try again.", 429);
        } catch (Accounts.BusyException busy) {
            visit.response().setHeader("Retry-After", "1");
            showSignIn(visit, "Too many people sign in at this moment. Please try again.", 503);
        }
    }

    private void approve(Visit visit, Account account) throws IOException {
        String given = visit.parameter("name").strip();
        String name = given.isEmpty() ? visit.wish().appName() : given;
        if (name.isEmpty() || name.length() > 200) {
            showQuestion(visit, account);
            return;
        }
        ApplicationPasswords.Issued issued =
                passwords.issue(account.id(), name, visit.wish().appId());
        sessions.signOut(visit.http());
        HtmlPage page = page("authorized", "Application authorised", visit.baseUrl())
                .with("name", name)
                .with("secret", issued.grouped())
                .with("login", account.login());
        leave(visit, visit.wish().approved(visit.baseUrl(), account.login(), issued.secret()), page, 200);
    }

    private void reject(Visit visit) throws IOException {
        sessions.signOut(visit.http());
        HtmlPage page = page("message", "Application rejected", visit.baseUrl())
                .with("message", "The application got no password. You may close this page.");
        leave(visit, visit.wish().rejected(), page, 200);
    }

    /** Leads back to the application, or shows a page if the application named no address. */
    private static void leave(Visit visit, Optional<String> back, HtmlPage page, int status) throws IOException {
        if (back.isPresent()) {
            redirect(visit, back.get());
        } else {
            page.send(visit.response(), status);
        }
    }

    private static void redirect(Visit visit, String target) {
        // 303: the form must not be sent on to where it leads.
        visit.response().setStatus(303);
        visit.response().setHeader("Location", target);
        visit.response().setHeader("Cache-Control", "no-store");
        visit.response().setHeader("Referrer-Policy", "no-referrer");
    }

    private void showSignIn(Visit visit, @Nullable String problem, int status) throws IOException {
        form("sign-in", "Sign in", visit).with("problem", problem).send(visit.response(), status);
    }

    private void showQuestion(Visit visit, Account account) throws IOException {
        AuthorizationRequest wish = visit.wish();
        Optional<String> target = wish.success().map(AuthorizationRequest::origin);
        HtmlPage page = form("authorize", "Authorise an application", visit)
                .with("name", account.name())
                .with("login", account.login())
                .with("target", target.orElse(null))
                .with("wishedName", wish.appName());
        target.ifPresent(page::formMayLeadTo);
        wish.reject().map(AuthorizationRequest::origin).ifPresent(page::formMayLeadTo);
        page.send(visit.response(), 200);
    }

    private static String named(AuthorizationRequest wish) {
        return wish.appName().isEmpty() ? "an application" : wish.appName();
    }

    private HtmlPage rejection(String why, String baseUrl) {
        return page("message", "The application cannot be authorised", baseUrl)
                .with("message", why)
                .with("isProblem", true);
    }

    private HtmlPage form(String template, String title, Visit visit) {
        // A request that the CSRF filter has not checked gets no form.
        CsrfToken token = (CsrfToken) Objects.requireNonNull(visit.http().getAttribute(CsrfToken.class.getName()));
        sessions.renewVisit(visit.http(), visit.response());
        return page(template, title, visit.baseUrl())
                .with("application", named(visit.wish()))
                .with("action", PATH + "?" + visit.wish().query())
                .with("token", token.getToken());
    }

    private HtmlPage page(String template, String title, String baseUrl) {
        return pages.begin(template, title, site.title(), baseUrl).keepPrivate();
    }
}
