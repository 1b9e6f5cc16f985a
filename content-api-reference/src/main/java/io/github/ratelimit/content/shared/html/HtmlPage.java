package io.github.ratelimit.content.shared.html;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.DocumentType;
import org.jsoup.nodes.Element;

/**
 * A page for people, built as a tree: whatever is put in as text or as the value of an attribute is text, and stays so.
 *
 * <p>A page runs no script and takes part in no other site's frame, unless it says so. Belongs to one thread.
 */
public final class HtmlPage {
    private final Document document = Document.createShell("");
    private final Element main;
    private final List<String> links = new ArrayList<>();
    private final List<String> formTargets = new ArrayList<>(List.of("'self'"));
    private String scripts = "";
    private boolean isPrivate;

    /**
     * Begins a page.
     *
     * @param title of the page
     * @param site what the site is called
     * @param baseUrl the site's address, without a slash at its end
     */
    public HtmlPage(String title, String site, String baseUrl) {
        document.outputSettings().prettyPrint(false).charset(StandardCharsets.UTF_8);
        document.prependChild(new DocumentType("html", "", ""));
        document.child(0).attr("lang", "en");
        Element head = document.head();
        head.appendElement("meta").attr("charset", "utf-8");
        head.appendElement("meta").attr("name", "viewport").attr("content", "width=device-width, initial-scale=1");
        head.appendElement("title").text(title.equals(site) ? site : title + " – " + site);
        head.appendElement("link").attr("rel", "stylesheet").attr("href", "/site.css");
        Element body = document.body();
        body.appendElement("a").addClass("skip").attr("href", "#content").text("Skip to content");
        body.appendElement("header")
                .appendElement("p")
                .appendElement("a")
                .attr("href", baseUrl + "/")
                .text(site);
        main = body.appendElement("main").attr("id", "content");
    }

    /**
     * Tells where the contents go.
     *
     * @return an element to add to
     */
    public Element main() {
        return main;
    }

    /**
     * Points to something that belongs to the page, for programs: in the head, and as a header field.
     *
     * @param relation what it is to the page
     * @param address where it is
     * @param attributes further names and values, by turns
     * @return this
     */
    public HtmlPage link(String relation, String address, String... attributes) {
        Element link =
                document.head().appendElement("link").attr("rel", relation).attr("href", address);
        StringBuilder field = new StringBuilder("<" + address + ">; rel=\"" + relation + "\"");
        for (int at = 0; at + 1 < attributes.length; at += 2) {
            link.attr(attributes[at], attributes[at + 1]);
            field.append("; ")
                    .append(attributes[at])
                    .append("=\"")
                    .append(attributes[at + 1])
                    .append('"');
        }
        links.add(field.toString());
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
        document.head().appendElement("script").attr("src", address).attr("defer", "");
        scripts = "script-src " + address + "; connect-src " + asks + "; ";
        return this;
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
     * Sends the page.
     *
     * @param response takes it
     * @param status of HTTP
     * @throws IOException if nobody listens any more
     */
    public void send(HttpServletResponse response, int status) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html; charset=UTF-8");
        response.setHeader(
                "Content-Security-Policy",
                "default-src 'none'; " + scripts
                        + "style-src 'self'; img-src * data:; media-src *; base-uri 'none'; form-action "
                        + String.join(" ", formTargets) + "; frame-ancestors 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Frame-Options", "DENY");
        if (isPrivate) {
            response.setHeader("Cache-Control", "no-store");
        }
        if (!links.isEmpty()) {
            response.setHeader("Link", String.join(", ", links));
        }
        byte[] bytes = document.outerHtml().getBytes(StandardCharsets.UTF_8);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
