package io.github.ratelimit.content.cms.site;

import io.github.ratelimit.content.cms.item.FilledBlocks;
import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemAccess;
import io.github.ratelimit.content.cms.item.ItemQuery;
import io.github.ratelimit.content.cms.item.ItemStatus;
import io.github.ratelimit.content.cms.item.ItemStore;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.Guess;
import io.github.ratelimit.content.cms.security.GuessLimit;
import io.github.ratelimit.content.cms.term.TermStore;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.shared.html.HtmlPage;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The pages at the addresses that items name as their links: {@code /?p=}, {@code /?page_id=}, {@code /?attachment_id=},
 * and {@code /}, the front page, also for one author.
 *
 * <p>They show what anyone may read, and nothing else: whoever is allowed to see more uses the interface.
 */
@Controller
class PublicPages {
    private static final int PER_PAGE = 10;
    private static final int LAST_PAGE = 1000;
    private static final String PASSWORD = "post_password";
    private static final DateTimeFormatter READABLE = DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

    private final Site site;
    private final SiteAddress address;
    private final ItemStore items;
    private final ItemAccess visibility;
    private final Accounts accounts;
    private final PageAccess access;
    private final GuessLimit guesses;
    private final FrontPage front;
    private final FilledBlocks blocks;
    private final TermStore terms;

    PublicPages(
            Site site,
            SiteAddress address,
            ItemStore items,
            ItemAccess visibility,
            Accounts accounts,
            PageAccess access,
            GuessLimit guesses,
            FrontPage front,
            FilledBlocks blocks,
            TermStore terms) {
        this.site = site;
        this.address = address;
        this.items = items;
        this.visibility = visibility;
        this.accounts = accounts;
        this.access = access;
        this.guesses = guesses;
        this.front = front;
        this.blocks = blocks;
        this.terms = terms;
    }

    /** What an address asks for. */
    private record Wanted(ItemType type, long id) {}

    @GetMapping("/")
    void show(HttpServletRequest http, HttpServletResponse response) throws IOException {
        String base = address.of(http);
        Optional<Wanted> wanted = wanted(http);
        if (wanted.isEmpty()) {
            list(http, response, base);
            return;
        }
        Optional<Item> item = published(wanted.get());
        if (item.isEmpty()) {
            missing(response, base);
        } else {
            show(item.get(), base, access.isOpen(http, item.get()), "", 200, response);
        }
    }

    @PostMapping("/")
    void open(HttpServletRequest http, HttpServletResponse response) throws IOException {
        String base = address.of(http);
        Optional<Item> item = wanted(http).flatMap(this::published).filter(Item::isGuarded);
        if (item.isEmpty()) {
            missing(response, base);
            return;
        }
        String typed = http.getParameter(PASSWORD);
        try {
            if (guesses.begin(http).isRight(() -> typed != null && isPassword(item.get(), typed))) {
                response.addHeader(HttpHeaders.SET_COOKIE, access.open(item.get(), base.startsWith("https:")));
                response.setStatus(303);
                response.setHeader(
                        "Location", item.get().type().page(base, item.get().id()));
            } else {
                show(item.get(), base, false, "This is not the password.", 403, response);
            }
        } catch (Guess.TooManyException tooMany) {
            response.setHeader("Retry-After", tooMany.retryAfter());
            show(item.get(), base, false, "Too many attempts. Please wait a minute and try again.", 429, response);
        }
    }

    private static boolean isPassword(Item item, String typed) {
        // In constant time: how far two of them are alike must not show.
        return MessageDigest.isEqual(
                typed.getBytes(StandardCharsets.UTF_8), item.password().getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<Wanted> wanted(HttpServletRequest http) {
        return ItemType.shown().stream()
                .flatMap(type -> number(http, type.queryName()).stream().map(id -> new Wanted(type, id)))
                .findFirst();
    }

    /** Reads a number; what is none is 0, which nothing has. */
    private static Optional<Long> number(HttpServletRequest http, String name) {
        return Optional.ofNullable(http.getParameter(name))
                .map(text -> text.matches("\\d{1,18}") ? Long.parseLong(text) : 0L);
    }

    private Optional<Item> published(Wanted wanted) {
        return items.standing(wanted.id())
                .filter(found -> found.type() == wanted.type())
                .filter(visibility::isPublic)
                .flatMap(found -> items.find(wanted.type(), wanted.id()))
                .filter(visibility::isPublic);
    }

    private void list(HttpServletRequest http, HttpServletResponse response, String base) throws IOException {
        long page = Math.min(LAST_PAGE, Math.max(1, number(http, "paged").orElse(1L)));
        Optional<Long> authorId = number(http, "author");
        Optional<Account> author = authorId.flatMap(accounts::find);
        ItemQuery query = ItemQuery.of(ItemType.POST)
                .withStatus(List.of(ItemStatus.PUBLISH))
                .page((page - 1) * PER_PAGE, PER_PAGE);
        authorId.ifPresent(query::by);
        ItemStore.ListPage found = items.list(query);
        if (found.items().isEmpty() && (page > 1 || authorId.isPresent())) {
            missing(response, base);
            return;
        }
        String title = author.map(known -> known.profile().displayName()).orElse(site.title());
        HtmlPage html = new HtmlPage(title, site.title(), base).link("https://api.w.org/", RestAddress.of(base, "/"));
        if (front.hasWidget() && page == 1 && author.isEmpty()) {
            html.runs(base + "/widget.js", base + "/api/v1/widget/");
        }
        Element main = html.main();
        main.appendElement("h1").text(title);
        if (author.isEmpty()) {
            main.appendElement("p").text(site.tagline());
        }
        if (found.items().isEmpty()) {
            main.appendElement("p").text("Nothing has been published yet.");
        }
        found.items().forEach(item -> entry(main, item, base));
        String others = authorId.map(id -> "author=" + id + "&").orElse("");
        Element pages = main.appendElement("nav").attr("aria-label", "Pages");
        if (page > 1) {
            pages.appendElement("p")
                    .appendElement("a")
                    .attr("rel", "prev")
                    .attr("href", base + "/?" + others + "paged=" + (page - 1))
                    .text("Newer posts");
        }
        if (page * PER_PAGE < found.total()) {
            pages.appendElement("p")
                    .appendElement("a")
                    .attr("rel", "next")
                    .attr("href", base + "/?" + others + "paged=" + (page + 1))
                    .text("Older posts");
        }
        html.send(response, 200);
    }

    private void entry(Element main, Item item, String base) {
        Element article = main.appendElement("article");
        article.appendElement("h2")
                .appendElement("a")
                .attr("href", item.type().page(base, item.id()))
                .text(title(item));
        date(article, item);
        if (item.isGuarded()) {
            article.appendElement("p").text("This post is protected by a password.");
        } else {
            insert(article.appendElement("div"), item.excerpt().rendered());
        }
    }

    private void show(Item item, String base, boolean isOpen, String problem, int status, HttpServletResponse response)
            throws IOException {
        String own = item.type().page(base, item.id());
        HtmlPage html = new HtmlPage(title(item), site.title(), base)
                .link("https://api.w.org/", RestAddress.of(base, "/"))
                .link(
                        "alternate",
                        RestAddress.of(base, item.type().route(item.id())),
                        "title",
                        "JSON",
                        "type",
                        "application/json")
                .link("shortlink", own);
        if (item.type() != ItemType.ATTACHMENT) {
            html.link(
                    "alternate",
                    base + RestAddress.PATH + "?rest_route=%2Foembed%2F1.0%2Fembed&url=" + encoded(own),
                    "title",
                    "oEmbed (JSON)",
                    "type",
                    "application/json+oembed");
        }
        if (item.isGuarded()) {
            html.keepPrivate();
        }
        Element article = html.main().appendElement("article");
        article.appendElement("h1").text(title(item));
        Element by = date(article, item);
        accounts.find(item.author())
                .ifPresent(author -> by.appendText(", ")
                        .appendElement("a")
                        .attr("rel", "author")
                        .attr("href", base + "/?author=" + author.id())
                        .text(author.profile().displayName()));
        if (item.isGuarded() && !isOpen) {
            passwordForm(article, own, problem);
        } else {
            String content = blocks.read(base, List.of(item)).content(item, () -> terms.termsOf(item.id()));
            insert(article.appendElement("div"), content);
        }
        html.send(response, status);
    }

    private void missing(HttpServletResponse response, String base) throws IOException {
        HtmlPage html =
                new HtmlPage("Not found", site.title(), base).link("https://api.w.org/", RestAddress.of(base, "/"));
        html.main().appendElement("h1").text("Not found");
        html.main().appendElement("p").text("There is no such page, or it is not public.");
        html.send(response, 404);
    }

    private static void passwordForm(Element article, String own, String problem) {
        if (!problem.isEmpty()) {
            article.appendElement("p").attr("role", "alert").text(problem);
        }
        article.appendElement("p").text("This text is protected. Enter the password to read it.");
        Element form = article.appendElement("form").attr("method", "post").attr("action", own);
        form.appendElement("label").attr("for", PASSWORD).text("Password");
        form.appendElement("input")
                .attr("id", PASSWORD)
                .attr("name", PASSWORD)
                .attr("type", "password")
                .attr("autocomplete", "off")
                .attr("required", "");
        form.appendElement("button").addClass("first").text("Read");
    }

    private Element date(Element article, Item item) {
        Element line = article.appendElement("p");
        line.appendElement("time")
                .attr("datetime", SiteDates.print(item.published(), site.zone()))
                .text(READABLE.format(item.published().atZone(site.zone())));
        return line;
    }

    private static String title(Item item) {
        String text = Parser.unescapeEntities(Rendering.plainText(item.title().rendered()), false);
        return text.isEmpty() ? "Untitled" : text;
    }

    /** Puts HTML that somebody wrote into a page: whatever it leaves open ends here. */
    private static void insert(Element parent, String html) {
        for (Node node : Parser.parseBodyFragment(html, "").body().childNodesCopy()) {
            parent.appendChild(node);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
