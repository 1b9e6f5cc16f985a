package io.github.ratelimit.content.server.html;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;

/** Makes pages for people of templates, which lie in {@code templates}. Safe for concurrent use. */
@Component
public final class Pages {
    private final ITemplateEngine templates;

    Pages(ITemplateEngine templates) {
        this.templates = templates;
    }

    /**
     * Begins a page.
     *
     * @param template the name of its template
     * @param title of the page
     * @param site what the site is called
     * @param baseUrl the site's address, without a slash at its end
     * @return the page
     */
    public HtmlPage begin(String template, String title, String site, String baseUrl) {
        return new HtmlPage(templates, template)
                .with("title", title)
                .with("window", title.equals(site) ? site : title + " – " + site)
                .with("site", site)
                .with("home", baseUrl + "/");
    }

    /**
     * Makes HTML that somebody wrote fit into a page: whatever it leaves open ends there.
     *
     * @param html that harms nobody
     * @return the same, for {@code th:utext}
     */
    public static String closed(String html) {
        Document document = Jsoup.parseBodyFragment(html);
        document.outputSettings().prettyPrint(false);
        return document.body().html();
    }

    /**
     * Makes a place for elements, which are spelled without further white space.
     *
     * @return an empty element
     */
    public static Element body() {
        Document document = Document.createShell("");
        document.outputSettings().prettyPrint(false);
        return document.body();
    }
}
