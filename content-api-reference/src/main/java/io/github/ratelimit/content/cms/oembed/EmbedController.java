package io.github.ratelimit.content.cms.oembed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.media.MediaFile;
import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.html.HtmlPage;
import io.github.ratelimit.content.server.html.Pages;
import io.github.ratelimit.content.server.store.Sha256;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Base64;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.safety.Safelist;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/**
 * The page that other sites show in a frame: title, picture, the beginning of the text, who wrote it.
 *
 * <p>It runs nothing and loads nothing but pictures of this site, and any site may frame it.
 */
@Controller
class EmbedController {

    private static final int PICTURE_WIDTH = 600;

    private static final String STYLE = """
            body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1d2327;background:#fff}
            article{border:1px solid #c3c4c7;padding:20px;overflow:auto}
            h1{font-size:22px;line-height:1.25;margin:0 0 12px}
            a{color:#0a4b78}
            a:focus{outline:2px solid #0a4b78;outline-offset:2px}
            img{display:block;max-width:100%;height:auto;margin:0 0 12px}
            footer{margin-top:16px;color:#50575e}
            @media (prefers-color-scheme:dark){body{color:#f0f0f1;background:#1d2327}a{color:#9ec2e6}footer{color:#c3c4c7}}
            """;

    private static final String STYLE_DIGEST =
            Base64.getEncoder().encodeToString(Sha256.begin().digest(STYLE.getBytes(UTF_8)));

    private final CmsSettings.Site site;
    private final SiteAddress address;
    private final ItemFinder items;
    private final OwnEmbeds own;
    private final Pages pages;

    EmbedController(CmsSettings.Site site, SiteAddress address, ItemFinder items, OwnEmbeds own, Pages pages) {
        this.site = site;
        this.address = address;
        this.items = items;
        this.own = own;
        this.pages = pages;
    }

    @GetMapping(path = "/", params = "embed")
    ResponseEntity<String> page(HttpServletRequest request) {
        String base = address.of(request);
        Optional<Item> item = items.findPublic(base, base + "/?" + request.getQueryString());
        HtmlPage page = item.map(found -> page(base, found)).orElseGet(() -> missing(base));
        return ResponseEntity.status(item.isPresent() ? 200 : 404)
                .contentType(new MediaType(MediaType.TEXT_HTML, UTF_8))
                .header("Content-Security-Policy", policy(base))
                .header("X-Content-Type-Options", "nosniff")
                .header("X-Robots-Tag", "noindex")
                .header("Referrer-Policy", "strict-origin-when-cross-origin")
                .body(page.text());
    }

    /** The site is named and not called `self`: within a sandbox a page has no self. */
    private static String policy(String base) {
        return "default-src 'none'; img-src " + base + "; style-src 'sha256-" + STYLE_DIGEST
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors *";
    }

    private record Picture(String address, int width, int height) {}

    private HtmlPage page(String base, Item item) {
        HtmlPage page = page(base, plain(item.shownTitle()))
                .with("link", item.type().page(base, item.id()))
                .with("author", own.author(item).isEmpty() ? null : own.author(item));
        if (item.isGuarded()) {
            return page.with("message", "This text is guarded by a password.");
        }
        own.picture(item, PICTURE_WIDTH)
                .ifPresent(picture -> page.with(
                        "picture",
                        new Picture(base + MediaFile.FOLDER + picture.path(), picture.width(), picture.height())));
        return page.with("excerpt", Jsoup.clean(item.excerpt().rendered(), base, Safelist.basic()));
    }

    private HtmlPage missing(String base) {
        return page(base, "Not found").with("message", "There is nothing at this address that could be shown here.");
    }

    private HtmlPage page(String base, String title) {
        return pages.begin("embed", title, site.title(), base).with("style", STYLE);
    }

    private static String plain(String html) {
        return Jsoup.parse(html).text();
    }
}
