package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.media.MediaFile;
import io.github.ratelimit.content.cms.media.MediaStore;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.server.html.Pages;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Comparator;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Descriptions of this site's own items, for everybody. Safe for concurrent use. */
@Component
public class OwnEmbeds {

    /** Rule: the sizes that clients of this interface expect; the height is nine sixteenths of the width. */
    private static final int LEAST_SIDE = 200;

    private static final int MOST_WIDTH = 600;

    /** Links open where the reader is, not within the frame; nothing in it runs. */
    private static final String SANDBOX = "allow-popups allow-top-navigation-by-user-activation";

    private final CmsSettings.Site site;
    private final ItemFinder items;
    private final MediaStore media;
    private final Accounts accounts;

    OwnEmbeds(CmsSettings.Site site, ItemFinder items, MediaStore media, Accounts accounts) {
        this.site = site;
        this.items = items;
        this.media = media;
        this.accounts = accounts;
    }

    /** Tells whether an address is one of this site, whether or not there is anything at it. */
    static boolean isOwn(String baseUrl, String address) {
        Optional<URI> base = uri(baseUrl);
        Optional<URI> asked = uri(address);
        return base.isPresent()
                && asked.isPresent()
                && asked.get().getRawUserInfo() == null
                && origin(base.get()).equalsIgnoreCase(origin(asked.get()));
    }

    /** Returns the name of who wrote an item; the site's where nobody did. */
    String author(Item item) {
        return accounts.find(item.author()).map(Account::name).orElse(site.title());
    }

    /**
     * Describes an item.
     *
     * @param maxWidth the most pixels that the asker has room for, side by side
     */
    ObjectNode describe(String baseUrl, Item item, long maxWidth) {
        int width = (int) Math.min(Math.max(LEAST_SIDE, maxWidth), MOST_WIDTH);
        int height = (int) Math.max(Math.ceil(width / 16.0 * 9), LEAST_SIDE);
        boolean hasAuthor = accounts.find(item.author()).isPresent();
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("version", "1.0");
        node.put("provider_name", site.title());
        node.put("provider_url", baseUrl);
        node.put("author_name", author(item));
        node.put("author_url", hasAuthor ? baseUrl + "/?author=" + item.author() : baseUrl);
        node.put("title", item.shownTitle());
        node.put("type", isFile(item, "video/") ? "video" : "rich");
        node.put("width", width).put("height", height);
        node.put("html", html(baseUrl, item, width, height));
        picture(item, width).ifPresent(picture -> {
            int shown = Math.min(width, picture.width());
            node.put("thumbnail_url", baseUrl + MediaFile.FOLDER + picture.path());
            node.put("thumbnail_width", shown);
            node.put("thumbnail_height", Math.round((float) picture.height() * shown / picture.width()));
        });
        return node;
    }

    private static boolean isFile(Item item, String kind) {
        return item.type() == ItemType.ATTACHMENT && item.mimeType().startsWith(kind);
    }

    /**
     * Finds the picture that stands for an item: the smallest that is wide enough and shows all of it.
     *
     * @param item whose picture anyone may see
     * @param width in pixels
     * @return empty for none
     */
    public Optional<MediaFile.Rendition> picture(Item item, int width) {
        // The picture belongs to something itself, and may be hidden where what shows it is not.
        Optional<MediaFile> file = isFile(item, "image/")
                ? media.find(item.id())
                : items.findPublic(item.featuredMedia()).flatMap(shown -> media.find(shown.id()));
        if (file.isEmpty() || file.get().full().isEmpty()) {
            return Optional.empty();
        }
        return file.get().renditions().values().stream()
                .filter(rendition -> !rendition.isCropped() && rendition.width() >= width)
                .min(Comparator.comparingLong(rendition -> (long) rendition.width() * rendition.height()))
                .or(() -> file.get().full());
    }

    private static String html(String baseUrl, Item item, int width, int height) {
        String page = item.type().page(baseUrl, item.id());
        String title = Rendering.plainText(item.shownTitle());
        Element body = Pages.body();
        body.appendElement("blockquote")
                .addClass("wp-embedded-content")
                .appendElement("a")
                .attr("href", page)
                .text(title);
        body.appendElement("iframe")
                .addClass("wp-embedded-content")
                .attr("sandbox", SANDBOX)
                .attr("src", page + "&embed=true")
                .attr("title", title)
                .attr("width", String.valueOf(width))
                .attr("height", String.valueOf(height))
                .attr("loading", "lazy");
        return body.html();
    }

    private static Optional<URI> uri(String address) {
        try {
            return Optional.of(new URI(address)).filter(uri -> uri.getHost() != null && uri.getScheme() != null);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String origin(URI uri) {
        int usual = uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        return uri.getScheme() + "://" + uri.getHost() + ":" + (uri.getPort() < 0 ? usual : uri.getPort());
    }
}
