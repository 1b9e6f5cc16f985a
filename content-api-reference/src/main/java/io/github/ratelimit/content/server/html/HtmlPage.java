package io.github.ratelimit.content.server.html;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/**
 * A page for people. It runs no script and takes part in no other site's frame, unless it says so. Belongs to one thread.
 *
 * @see Pages
 */
public final class HtmlPage {
    private final ITemplateEngine templates;
    private final String template;
    private final Context values = new Context(Locale.ENGLISH);
    private final List<Link> links = new ArrayList<>();
    private final List<String> formTargets = new ArrayList<>(List.of("'self'"));
    private String scripts = "";
    private boolean isPrivate;
    private boolean isForFrames;
    private boolean isAuthored;

    HtmlPage(ITemplateEngine templates, String template) {
        this.templates = templates;
        this.template = template;
        with("links", links);
    }

    /**
     * Gives the template a value.
     *
     * @param name what the template calls it
     * @param value null: there is none
     * @return this
     */
    public HtmlPage with(String name, @Nullable Object value) {
        values.setVariable(name, value);
        return this;
    }

    /**
     * What belongs to a page.
     *
     * @param relation what it is to the page
     * @param address where it is
     * @param title what it is called, or null
     * @param type its media type, or null
     */
    private record Link(
            String relation,
            String address,
            @Nullable String title,
            @Nullable String type) {
        String field() {
            return "<" + address + ">; rel=\"" + relation + "\"" + member("title", title) + member("type", type);
        }

        private static String member(String name, @Nullable String value) {
            return value == null ? "" : "; " + name + "=\"" + value + "\"";
        }
    }

    /**
     * Points to something that belongs to the page, for programs: in the head, and as a header field.
     *
     * @param relation what it is to the page
     * @param address where it is
     * @return this
     */
    public HtmlPage link(String relation, String address) {
        links.add(new Link(relation, address, null, null));
        return this;
    }

    /**
     * Points to the page in another form, for programs: in the head, and as a header field.
     *
     * @param address where it is
     * @param title what it is called
     * @param type its media type
     * @return this
     */
    public HtmlPage alternate(String address, String title, String type) {
        links.add(new Link("alternate", address, title, type));
        return this;
    }

    /**
     * Lets a form of the page lead on to another site, as browsers hold the redirect after a form to the same rule as the
     * form.
     *
     * @param origin scheme, host and port
     * @return this
     */
    public HtmlPage formMayLeadTo(String origin) {
        formTargets.add(origin);
        return this;
    }

    /**
     * Lets the page run one script, and nothing else.
     *
     * @param address of the script, with scheme and host
     * @param asks where the script may send requests, with scheme and host
     * @return this
     */
    public HtmlPage runs(String address, String asks) {
        scripts = "script-src " + address + "; connect-src " + asks + "; ";
        return with("script", address);
    }

    /**
     * Keeps the page out of every cache.
     *
     * @return this
     */
    public HtmlPage keepPrivate() {
        isPrivate = true;
        return this;
    }

    /**
     * Shows what authors may write: their inline styles, and frames of this site.
     *
     * @return this
     */
    public HtmlPage showsAuthored() {
        isAuthored = true;
        return this;
    }

    /**
     * Lets pages of this site show the page in a frame.
     *
     * @return this
     */
    public HtmlPage mayBeFramedHere() {
        isForFrames = true;
        return this;
    }

    /**
     * Returns the page's text. Whatever the template puts in as text or as the value of an attribute is text, and stays so.
     *
     * @return HTML
     */
    public String text() {
        return templates.process(template, values);
    }

    /**
     * Sends the page.
     *
     * @param response takes it
     * @param status of HTTP
     * @throws IOException if nobody listens any more
     */
    public void send(HttpServletResponse response, int status) throws IOException {
        byte[] bytes = text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/html; charset=UTF-8");
        response.setHeader(
                "Content-Security-Policy",
                "default-src 'none'; " + scripts
                        + (isAuthored ? "style-src-attr 'unsafe-inline'; frame-src 'self'; " : "")
                        + "style-src 'self'; img-src * data:; media-src *; base-uri 'none'; form-action "
                        + String.join(" ", formTargets) + "; frame-ancestors " + (isForFrames ? "'self'" : "'none'"));
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Frame-Options", isForFrames ? "SAMEORIGIN" : "DENY");
        if (isPrivate) {
            response.setHeader("Cache-Control", "no-store");
        }
        if (!links.isEmpty()) {
            response.setHeader("Link", links.stream().map(Link::field).collect(Collectors.joining(", ")));
        }
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
