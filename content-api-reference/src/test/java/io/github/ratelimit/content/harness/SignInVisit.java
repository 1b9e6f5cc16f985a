package io.github.ratelimit.content.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;

/** A browser at the page of applications: the cookie that it was given, and the token of the form that it shows. */
public final class SignInVisit {

    private final SiteClient site;
    private final String page;
    private String cookie;
    private String token;

    /**
     * Goes on with a visit.
     *
     * @param site the server that is asked
     * @param page the page's path and query
     * @param cookie empty for none
     * @param token of the form; empty for none
     */
    public SignInVisit(SiteClient site, String page, String cookie, String token) {
        this.site = site;
        this.page = page;
        this.cookie = cookie;
        this.token = token;
    }

    /** Opens the page for the first time. */
    public static SignInVisit open(SiteClient site, String page) {
        SignInVisit visit = new SignInVisit(site, page, "", "");
        visit.get();
        return visit;
    }

    /** Returns the cookie, a name and its value. */
    public String cookie() {
        return cookie;
    }

    /** Returns the token of the form that was shown last. */
    public String token() {
        return token;
    }

    /** Opens the page once more. */
    public Answer get() {
        return seen(call("GET").send());
    }

    /** Opens the page once more, and tells whether it asks for a decision. */
    public boolean isSignedIn() {
        Answer shown = get();
        assertThat(shown.status()).isEqualTo(200);
        return !Jsoup.parse(shown.text()).select("button[value=approve]").isEmpty();
    }

    /** Sends the form for signing in. */
    public Answer signIn(String login, String password) {
        return submit("sign-in", "login", login, "password", password);
    }

    /** Presses a button of the form, with fields and their values in turn. */
    public Answer submit(String action, String... fields) {
        Query form = Query.of(fields).add("action", action).add("form_token", token);
        return seen(call("POST").form(form).send());
    }

    /** Begins any request to the page. */
    public SiteClient.Call call(String method) {
        SiteClient.Call call = site.callAddress(method, page);
        return cookie.isEmpty() ? call : call.header("Cookie", cookie);
    }

    private Answer seen(Answer answer) {
        answer.header("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
        String shown =
                Jsoup.parse(answer.text()).select("input[name=form_token]").attr("value");
        token = shown.isEmpty() ? token : shown;
        return answer;
    }
}
