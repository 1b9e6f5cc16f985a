package io.github.ratelimit.content.cms.site;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemQuery;
import io.github.ratelimit.content.cms.item.ItemStatus;
import io.github.ratelimit.content.cms.item.ItemStore;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.media.MediaFile;
import io.github.ratelimit.content.cms.oembed.OwnEmbeds;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.limits.Guess;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.html.HtmlPage;
import io.github.ratelimit.content.server.html.Pages;
import io.github.ratelimit.content.server.settings.ServerKey;
import io.github.ratelimit.content.server.store.PageQuery;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;
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
    private static final int PICTURE_WIDTH = 672;
    private static final String PASSWORD = "post_password";
    private static final DateTimeFormatter READABLE = DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

    private final CmsSettings.Site site;
    private final SiteAddress address;
    private final ItemStore items;
    private final ItemFinder visibility;
    private final Accounts accounts;
    private final PageAccess access;
    private final GuessLimit guesses;
    private final FrontPage front;
    private final OwnEmbeds pictures;
    private final Pages pages;

    PublicPages(
            CmsSettings.Site site,
            SiteAddress address,
            ItemStore items,
            ItemFinder visibility,
            Accounts accounts,
            PageAccess access,
            GuessLimit guesses,
            FrontPage front,
            OwnEmbeds pictures,
            Pages pages) {
        this.site = site;
        this.address = address;
        this.items = items;
        this.visibility = visibility;
        this.accounts = accounts;
        this.access = access;
        this.guesses = guesses;
        this.front = front;
        this.pictures = pictures;
        this.pages = pages;
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
            show(item.get(), base, access.isOpen(http, item.get()), null, 200, response);
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
            if (guesses.begin(http)
                    .isRight(() -> typed != null
                            && ServerKey.areEqual(typed, item.get().password()))) {
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
        return items.header(wanted.id())
                .filter(found -> found.type() == wanted.type())
                .filter(visibility::isPublic)
                .flatMap(found -> items.find(wanted.type(), wanted.id()))
                .filter(visibility::isPublic);
    }

    private void list(HttpServletRequest http, HttpServletResponse response, String base) throws IOException {
        long page = Math.min(LAST_PAGE, Math.max(1, number(http, "paged").orElse(1L)));
        Optional<Long> authorId = number(http, "author");
        Optional<Account> author = authorId.flatMap(accounts::find);
        boolean isFront = page == 1 && authorId.isEmpty();
        ItemQuery query = published(ItemType.POST).page((page - 1) * PER_PAGE, PER_PAGE);
        authorId.ifPresent(query::by);
        PageQuery.Page<Item> found = items.list(query);
        if (found.rows().isEmpty() && (page > 1 || authorId.isPresent())) {
            missing(response, base);
            return;
        }
        String title = author.map(Account::name).orElse(site.title());
        String others = base + "/?" + authorId.map(id -> "author=" + id + "&").orElse("") + "paged=";
        HtmlPage html = page("list", title, base)
                .with("tagline", author.isEmpty() ? site.tagline() : null)
                .with(
                        "entries",
                        (isFront ? withStickyFirst(found.rows()) : found.rows())
                                .stream().map(item -> entry(item, base)).toList())
                .with("newer", page > 1 ? others + (page - 1) : null)
                .with("older", page * PER_PAGE < found.total() ? others + (page + 1) : null);
        if (front.hasWidget() && isFront) {
            html.runs(base + "/widget.js", base + "/api/v1/widget/");
        }
        html.send(response, 200);
    }

    private static ItemQuery published(ItemType type) {
        return ItemQuery.of(type).withStatus(List.of(ItemStatus.PUBLISH));
    }

    private Collection<Item> withStickyFirst(List<Item> newest) {
        ItemQuery sticky = published(ItemType.POST).where("sticky = ?", true).page(0, PER_PAGE);
        return Stream.concat(items.list(sticky).rows().stream(), newest.stream())
                .collect(Collectors.toMap(Item::id, item -> item, (first, again) -> first, LinkedHashMap::new))
                .values();
    }

    /** When something was published, for programs and for people. */
    private record Day(String exact, String readable) {}

    private record Entry(String address, String title, Day date, boolean isGuarded, String excerpt) {}

    private Entry entry(Item item, String base) {
        String excerpt = item.isGuarded() ? "" : Pages.closed(item.excerpt().rendered());
        return new Entry(item.type().page(base, item.id()), title(item), day(item), item.isGuarded(), excerpt);
    }

    private record Link(String address, String name) {}

    private void show(
            Item item, String base, boolean isOpen, @Nullable String problem, int status, HttpServletResponse response)
            throws IOException {
        String own = item.type().page(base, item.id());
        HtmlPage html = page("item", title(item), base)
                .alternate(RestAddress.of(base, item.type().route(item.id())), "JSON", "application/json")
                .link("shortlink", own);
        if (item.type() != ItemType.ATTACHMENT) {
            html.alternate(
                    base + RestAddress.PATH + "?rest_route=%2Foembed%2F1.0%2Fembed&url=" + encoded(own),
                    "oEmbed (JSON)",
                    "application/json+oembed");
        }
        if (item.isGuarded()) {
            html.keepPrivate();
        }
        Link author = accounts.find(item.author())
                .map(found -> new Link(base + "/?author=" + found.id(), found.name()))
                .orElse(null);
        String content =
                item.isGuarded() && !isOpen ? null : Pages.closed(item.content().rendered());
        boolean hasPicture = content != null && item.type() != ItemType.ATTACHMENT;
        html.showsAuthored()
                .with(
                        "picture",
                        hasPicture ? pictures.picture(item, PICTURE_WIDTH).orElse(null) : null)
                .with("files", base + MediaFile.FOLDER)
                .with("date", day(item))
                .with("author", author)
                .with("content", content)
                .with("address", own)
                .with("problem", problem)
                .send(response, status);
    }

    private void missing(HttpServletResponse response, String base) throws IOException {
        page("message", "Not found", base)
                .with("message", "There is no such page, or it is not public.")
                .send(response, 404);
    }

    private HtmlPage page(String template, String title, String base) {
        ItemQuery top = published(ItemType.PAGE)
                .where("parent_id = ?", 0)
                .orderBy(ItemQuery.OrderBy.MENU_ORDER, true)
                .page(0, PER_PAGE);
        List<Link> menu = items.titles(top).entrySet().stream()
                .map(page -> new Link(ItemType.PAGE.page(base, page.getKey()), plain(page.getValue())))
                .toList();
        return pages.begin(template, title, site.title(), base)
                .with("menu", menu)
                .link("https://api.w.org/", RestAddress.of(base, "/"));
    }

    private Day day(Item item) {
        return new Day(
                SiteDates.print(item.published(), site.timezone()),
                READABLE.format(item.published().atZone(site.timezone())));
    }

    private static String title(Item item) {
        return plain(item.title().rendered());
    }

    private static String plain(String title) {
        String text = Parser.unescapeEntities(Rendering.plainText(title), false);
        return text.isEmpty() ? "Untitled" : text;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
