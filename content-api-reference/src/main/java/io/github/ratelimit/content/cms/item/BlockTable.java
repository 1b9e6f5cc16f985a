package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.FilledBlocks.Place;
import io.github.ratelimit.content.cms.item.ItemQuery.OrderBy;
import io.github.ratelimit.content.cms.item.PublishedItems.Entry;
import io.github.ratelimit.content.cms.item.PublishedItems.Wish;
import io.github.ratelimit.content.cms.term.PublishedTerms;
import io.github.ratelimit.content.cms.term.PublishedTerms.Counted;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.ServedBlock;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What each block shows that an author leaves empty. A block that is not in the table shows nothing.
 *
 * <p>Titles and names are HTML already; everything else that somebody wrote is spelled as a text.
 */
final class BlockTable {
    private interface Kind {
        String show(ServedBlock block, Place place);
    }

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry("archives", BlockTable::archives),
            Map.entry("categories", BlockTable::categories),
            Map.entry("home-link", BlockTable::homeLink),
            Map.entry("latest-comments", BlockTable::latestComments),
            Map.entry("latest-posts", BlockTable::latestPosts),
            Map.entry("page-list", BlockTable::pageList),
            Map.entry("post-author-name", BlockTable::postAuthorName),
            Map.entry("post-comments-count", (block, place) -> element("div", block, "0")),
            Map.entry("post-comments-link", BlockTable::postCommentsLink),
            Map.entry("post-date", BlockTable::postDate),
            Map.entry("post-excerpt", BlockTable::postExcerpt),
            Map.entry("post-featured-image", BlockTable::postFeaturedImage),
            Map.entry("post-terms", BlockTable::postTerms),
            Map.entry("post-title", BlockTable::postTitle),
            Map.entry("read-more", BlockTable::readMore),
            Map.entry("search", BlockTable::search),
            Map.entry("site-tagline", BlockTable::siteTagline),
            Map.entry("site-title", BlockTable::siteTitle),
            Map.entry("tag-cloud", BlockTable::tagCloud));

    private static final String DATE = "F j, Y";
    /** Chosen: no format is as long, and each of its letters becomes a word. */
    private static final int LONGEST_FORMAT = 100;

    private static final int EXCERPT_WORDS = 55;
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,4})?)(px|pt|em|rem|%|vw|vh)?");

    /** The sizes of the names in a cloud, where nobody chose them. */
    private static final String SMALLEST = "8pt";

    private static final String LARGEST = "22pt";

    private static final String ICON = "<svg class=\"search-icon\" viewBox=\"0 0 24 24\" width=\"24\" height=\"24\""
            + " fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"><circle cx=\"10\" cy=\"10\" r=\"6\"></circle>"
            + "<path d=\"m15 15 6 6\"></path></svg>";

    private BlockTable() {}

    static String show(ServedBlock block, Place place) {
        Kind kind = KINDS.get(block.name());
        return kind == null ? "" : kind.show(block, place);
    }

    private static String archives(ServedBlock block, Place place) {
        String format = switch (block.text("type", "monthly")) {
            case "monthly" -> "Ym|F Y";
            case "yearly" -> "Y|Y";
            case "daily" -> "Ymd|" + DATE;
            default -> "";
        };
        if (format.isEmpty() || block.is("displayAsDropdown", false)) {
            return "";
        }
        boolean isCounted = block.is("showPostCounts", false);
        String list = place.reading().periods(format).entrySet().stream()
                .map(period -> "\t<li><a href='" + place.reading().base() + "/?m="
                        + period.getKey().replace("|", "'>") + "</a>"
                        + (isCounted ? "&nbsp;(" + period.getValue() + ")" : "") + "</li>\n")
                .collect(Collectors.joining());
        return element("ul", block, list, "wp-block-archives-list");
    }

    private static String categories(ServedBlock block, Place place) {
        String name = block.text("taxonomy", Taxonomy.CATEGORY.wireName());
        if (block.is("displayAsDropdown", false)) {
            return "";
        }
        List<Counted> all = PublishedTerms.taxonomy(name)
                .map(taxonomy -> place.reading().byName(taxonomy))
                .orElse(List.of());
        boolean isTree = block.is("showHierarchy", false);
        boolean isTop = block.is("showOnlyTopLevel", false);
        Map<Long, List<Counted>> below = all.stream()
                .collect(Collectors.groupingBy(
                        term -> isTree || isTop ? term.term().parent() : 0, LinkedHashMap::new, Collectors.toList()));
        StringBuilder list = new StringBuilder();
        terms(list, below, 0, block, place.reading().base(), isTree && !isTop ? FilledBlocks.MOST_ENTRIES : 1);
        return element(
                "ul",
                block,
                list.toString(),
                "wp-block-categories-list",
                "wp-block-categories-taxonomy-" + Slugs.of(name));
    }

    /** In a tree, terms count with all that is below them. */
    private static void terms(
            StringBuilder list,
            Map<Long, List<Counted>> below,
            long parent,
            ServedBlock block,
            String base,
            int depth) {
        boolean isTree = block.is("showHierarchy", false);
        for (Counted term : below.getOrDefault(parent, List.of())) {
            long count = isTree ? total(term, below, FilledBlocks.MOST_ENTRIES) : term.count();
            if (count == 0 && !block.is("showEmpty", false)) {
                continue;
            }
            list.append("\t<li class=\"cat-item cat-item-")
                    .append(term.term().id())
                    .append("\"><a href=\"");
            list.append(term.page(base))
                    .append("\">")
                    .append(term.term().name())
                    .append("</a>");
            list.append(block.is("showPostCounts", false) ? " (" + count + ")" : "")
                    .append('\n');
            int before = list.length();
            if (depth > 1) {
                terms(list, below, term.term().id(), block, base, depth - 1);
            }
            if (list.length() > before) {
                list.insert(before, "<ul class='children'>\n").append("</ul>\n");
            }
            list.append("</li>\n");
        }
    }

    private static long total(Counted term, Map<Long, List<Counted>> below, int depth) {
        return term.count()
                + (depth == 0
                        ? 0
                        : below.getOrDefault(term.term().id(), List.of()).stream()
                                .mapToLong(inner -> total(inner, below, depth - 1))
                                .sum());
    }

    private static String tagCloud(ServedBlock block, Place place) {
        int most = Math.max(0, Math.min(block.number("numberOfTags", 45), FilledBlocks.MOST_ENTRIES));
        List<Counted> tags = PublishedTerms.taxonomy(block.text("taxonomy", Taxonomy.TAG.wireName())).stream()
                .flatMap(taxonomy -> place.reading().byCount(taxonomy).stream())
                .limit(most)
                .sorted(Comparator.comparing(tag -> tag.term().name().toLowerCase(Locale.ROOT)))
                .toList();
        if (tags.isEmpty()) {
            return element("p", block, Rendering.text("There's no content to show here yet."));
        }
        long rarest = tags.stream().mapToLong(BlockTable::weight).min().orElse(0);
        long spread = tags.stream().mapToLong(BlockTable::weight).max().orElse(0) - rarest;
        Matcher smallest = size(block.text("smallestFontSize", SMALLEST), SMALLEST);
        Matcher largest = size(block.text("largestFontSize", LARGEST), LARGEST);
        double step =
                (Double.parseDouble(largest.group(1)) - Double.parseDouble(smallest.group(1))) / Math.max(1, spread);
        List<String> links = new ArrayList<>();
        for (Counted tag : tags) {
            double size = Double.parseDouble(smallest.group(1)) + (weight(tag) - rarest) * step;
            String unit = Optional.ofNullable(smallest.group(2)).orElse("pt");
            String many = String.format(Locale.US, "%,d", tag.count());
            String counted = block.is("showTagCounts", false)
                    ? "<span class=\"tag-link-count\"> (" + tag.count() + ")</span>"
                    : "";
            links.add("<a href=\"" + tag.page(place.reading().base()) + "\" class=\"tag-cloud-link tag-link-"
                    + tag.term().id() + " tag-link-position-" + (links.size() + 1) + "\" style=\"font-size: "
                    + digits(size) + unit + ";\" aria-label=\""
                    + quoted(tag.term().name()) + " (" + many
                    + (tag.count() == 1 ? " item" : " items") + ")\">"
                    + tag.term().name() + counted + "</a>");
        }
        return element("p", block, String.join("\n", links));
    }

    /** Counts by orders of magnitude, so that one much used name does not make all others small. */
    private static long weight(Counted tag) {
        return Math.round(Math.log10(tag.count() + 1.0) * 100);
    }

    private static Matcher size(String wish, String otherwise) {
        Matcher size = SIZE.matcher(wish);
        if (!size.matches()) {
            size = SIZE.matcher(otherwise);
            size.matches();
        }
        return size;
    }

    private static String digits(double number) {
        BigDecimal digits = new BigDecimal(number, new MathContext(14));
        return digits.signum() == 0 ? "0" : digits.stripTrailingZeros().toPlainString();
    }

    private static String latestPosts(ServedBlock block, Place place) {
        int most = block.number("postsToShow", 5);
        Set<Long> categories = new TreeSet<>();
        block.attributes().path("categories").forEach(one -> {
            JsonNode id = one.isObject() ? one.path("id") : one;
            if (id.isIntegralNumber() && id.canConvertToLong() && categories.size() < FilledBlocks.MOST_ENTRIES) {
                categories.add(id.longValue());
            }
        });
        OrderBy by = switch (block.text("orderBy", "date")) {
            case "title" -> OrderBy.TITLE;
            case "modified" -> OrderBy.MODIFIED;
            default -> OrderBy.DATE;
        };
        List<Entry> posts = place.reading()
                .posts(new Wish(
                        by,
                        block.text("order", "desc").equalsIgnoreCase("asc"),
                        Math.max(0, block.number("selectedAuthor", 0)),
                        categories,
                        most < 0
                                ? FilledBlocks.MOST_ENTRIES
                                : Math.min(most == 0 ? 10 : most, FilledBlocks.MOST_ENTRIES)));
        boolean hasPictures = block.is("displayFeaturedImage", false);
        if (hasPictures) {
            place.reading().pictures(posts.stream().map(Entry::picture));
        }
        StringBuilder list = new StringBuilder();
        for (Entry post : posts) {
            list.append("<li>");
            latestPost(list, post, block, place);
            list.append("</li>\n");
        }
        boolean isGrid = block.text("postLayout", "list").equals("grid");
        return element(
                "ul",
                block,
                list.toString(),
                "wp-block-latest-posts__list",
                isGrid ? "is-grid" : "",
                isGrid ? "columns-" + block.number("columns", 3) : "",
                block.is("displayPostDate", false) ? "has-dates" : "",
                block.is("displayAuthor", false) ? "has-author" : "");
    }

    private static void latestPost(StringBuilder html, Entry post, ServedBlock block, Place place) {
        String page = page(post, place);
        String title = (post.isGuarded() ? "Protected: " : "") + post.title();
        String named = title.isEmpty() ? "(no title)" : title;
        if (block.is("displayFeaturedImage", false)) {
            place.reading().picture(post.picture()).ifPresent(image -> {
                String size = Slugs.of(block.text("featuredImageSizeSlug", "thumbnail"));
                String element = Rendering.picture(image, place.reading().base(), size, "", "");
                String align = Slugs.of(block.text("featuredImageAlign", ""));
                html.append("<div class=\"wp-block-latest-posts__featured-image")
                        .append(align.isEmpty() ? "" : " align" + align)
                        .append("\">");
                html.append(
                        block.is("addLinkToFeaturedImage", false)
                                ? "<a href=\"" + page + "\" aria-label=\"" + quoted(named) + "\">" + element + "</a>"
                                : element);
                html.append("</div>");
            });
        }
        html.append("<a class=\"wp-block-latest-posts__post-title\" href=\"")
                .append(page)
                .append("\">");
        html.append(named).append("</a>");
        if (block.is("displayAuthor", false) && !post.authorName().isEmpty()) {
            html.append("<div class=\"wp-block-latest-posts__post-author\">by ")
                    .append(Rendering.text(post.authorName()))
                    .append("</div>");
        }
        if (block.is("displayPostDate", false)) {
            ZoneId zone = place.reading().site().zone();
            html.append("<time datetime=\"").append(SiteDates.print(post.published(), zone, "c"));
            html.append("\" class=\"wp-block-latest-posts__post-date\">")
                    .append(SiteDates.print(post.published(), zone, DATE))
                    .append("</time>");
        }
        if (block.is("displayPostContent", false)) {
            html.append("<div class=\"wp-block-latest-posts__post-excerpt\">")
                    .append(teaser(post, named, page, block, place))
                    .append("</div>");
        }
    }

    private static String teaser(Entry post, String title, String page, ServedBlock block, Place place) {
        if (post.isGuarded()) {
            return "This content is password protected.";
        }
        Rendering.Words words = place.reading().summary(post).first(wished(block));
        return words.hasMore()
                ? words.text() + "… <a class=\"wp-block-latest-posts__read-more\" href=\"" + page
                        + "\" rel=\"noopener noreferrer\">Read more<span class=\"screen-reader-text\">: " + title
                        + "</span></a>"
                : words.text();
    }

    private static int wished(ServedBlock block) {
        return Math.max(0, Math.min(block.number("excerptLength", EXCERPT_WORDS), EXCERPT_WORDS));
    }

    /** Nobody can comment here. */
    private static String latestComments(ServedBlock block, Place place) {
        return element(
                "div",
                block,
                "No comments to show.",
                block.is("displayAvatar", true) ? "has-avatars" : "",
                block.is("displayDate", true) ? "has-dates" : "",
                block.is("displayExcerpt", true) ? "has-excerpts" : "",
                "no-comments");
    }

    private static String pageList(ServedBlock block, Place place) {
        Map<Long, List<Entry>> below = place.reading().pages().stream()
                .collect(Collectors.groupingBy(Entry::parent, LinkedHashMap::new, Collectors.toList()));
        StringBuilder list = new StringBuilder();
        pages(list, below, Math.max(0, block.number("parentPageID", 0)), place, false);
        return list.isEmpty() ? "" : element("ul", block, list.toString());
    }

    private static void pages(
            StringBuilder list, Map<Long, List<Entry>> below, long parent, Place place, boolean isInner) {
        // Each page is listed once, so a circle ends.
        List<Entry> pages = Optional.ofNullable(below.remove(parent)).orElse(List.of());
        for (Entry page : pages) {
            boolean hasChild = below.containsKey(page.id());
            list.append("<li class=\"wp-block-pages-list__item").append(hasChild ? " has-child" : "");
            list.append(isInner ? " " : "").append("\"><a class=\"wp-block-pages-list__item__link\" href=\"");
            list.append(page(page, place)).append("\">");
            list.append(page.title().isEmpty() ? "(no title)" : page.title()).append("</a>");
            if (hasChild) {
                list.append("<ul class=\"wp-block-navigation__submenu-container\">");
                pages(list, below, page.id(), place, true);
                list.append("</ul>");
            }
            list.append("</li>");
        }
    }

    private static String homeLink(ServedBlock block, Place place) {
        String label = markup(block.text("label", "Home"));
        return "<li class=\"wp-block-navigation-item wp-block-home-link\"><a class=\"wp-block-home-link__content"
                + " wp-block-navigation-item__content\" href=\""
                + place.reading().base() + "\" rel=\"home\">" + label
                + "</a></li>";
    }

    private static String siteTitle(ServedBlock block, Place place) {
        String title = Rendering.text(place.reading().site().title());
        String target = quoted(block.text("linkTarget", "_self"));
        String shown = block.is("isLink", true)
                ? "<a href=\"" + place.reading().base() + "\" target=\"" + target + "\" rel=\"home\">" + title + "</a>"
                : title;
        return title.isEmpty() ? "" : element(heading(block, 1), block, shown);
    }

    private static String siteTagline(ServedBlock block, Place place) {
        String tagline = Rendering.text(place.reading().site().tagline());
        return tagline.isEmpty() ? "" : element(heading(block, 0), block, tagline);
    }

    private static String postTitle(ServedBlock block, Place place) {
        String title = title(place.item());
        if (title.isEmpty()) {
            return "";
        }
        String rel = block.text("rel", "");
        String shown = block.is("isLink", false)
                ? "<a href=\"" + page(place) + "\" target=\"" + quoted(block.text("linkTarget", "_self")) + "\" "
                        + (rel.isEmpty() ? "" : "rel=\"" + quoted(rel) + "\"") + ">" + title + "</a>"
                : title;
        return element(heading(block, 2), block, shown);
    }

    private static String postDate(ServedBlock block, Place place) {
        ZoneId zone = place.reading().site().zone();
        boolean isModified = block.text("displayType", "date").equals("modified");
        Instant moment = isModified ? place.item().modified() : place.item().published();
        if (isModified && !moment.isAfter(place.item().published())) {
            return "";
        }
        String wish = block.text("format", DATE);
        String format = wish.isEmpty() || wish.length() > LONGEST_FORMAT || wish.equals("human-diff") ? DATE : wish;
        String time = "<time datetime=\"" + SiteDates.print(moment, zone, "c") + "\">"
                + Rendering.text(SiteDates.print(moment, zone, format)) + "</time>";
        String shown = block.is("isLink", false) ? "<a href=\"" + page(place) + "\">" + time + "</a>" : time;
        return element("div", block, shown, isModified ? "wp-block-post-date__modified-date" : "");
    }

    private static String postExcerpt(ServedBlock block, Place place) {
        Rendering.Words words = place.summary().first(wished(block));
        String more = markup(block.text("moreText", ""));
        String link = more.isEmpty()
                ? ""
                : "<a class=\"wp-block-post-excerpt__more-link\" href=\"" + page(place) + "\">" + more + "</a>";
        boolean isApart = block.is("showMoreOnNewLine", true) && !link.isEmpty();
        return element(
                "div",
                block,
                "<p class=\"wp-block-post-excerpt__excerpt\">" + words.text() + (words.hasMore() ? "&hellip;" : "")
                        + (isApart ? "</p><p class=\"wp-block-post-excerpt__more-text\">" : " ") + link + "</p>");
    }

    private static String postFeaturedImage(ServedBlock block, Place place) {
        boolean isLink = block.is("isLink", false);
        return place.reading()
                .picture(place.item().featuredMedia())
                .map(image -> {
                    String size = Slugs.of(block.text("sizeSlug", "post-thumbnail"));
                    String scale = Slugs.of(block.text("scale", "cover"));
                    String title = isLink ? quoted(title(place.item())) : "";
                    return Rendering.picture(image, place.reading().base(), size, title, "object-fit:" + scale + ";");
                })
                .map(element -> isLink
                        ? "<a href=\"" + page(place) + "\" target=\"" + quoted(block.text("linkTarget", "_self"))
                                + "\"  >" + element + "</a>"
                        : element)
                .map(element -> element("figure", block, element))
                .orElse("");
    }

    private static String postTerms(ServedBlock block, Place place) {
        String name = block.text("term", "");
        String separator = "<span class=\"wp-block-post-terms__separator\">"
                + Rendering.text(block.text("separator", ", ")) + "</span>";
        String links = place.sorted().stream()
                .filter(term -> term.taxonomy().wireName().equals(name))
                .map(term -> "<a href=\""
                        + new Counted(term, 0).page(place.reading().base()) + "\" rel=\"tag\">" + term.name() + "</a>")
                .collect(Collectors.joining(separator));
        return links.isEmpty()
                ? ""
                : element(
                        "div",
                        block,
                        beside(block, "prefix") + links + beside(block, "suffix"),
                        "taxonomy-" + Slugs.of(name));
    }

    private static String beside(ServedBlock block, String attribute) {
        String text = markup(block.text(attribute, ""));
        return text.isEmpty() ? "" : "<span class=\"wp-block-post-terms__" + attribute + "\">" + text + "</span>";
    }

    private static String postAuthorName(ServedBlock block, Place place) {
        String name = Rendering.text(place.reading().author(place.item().author()));
        if (name.isEmpty()) {
            return "";
        }
        String shown = block.is("isLink", false)
                ? "<a href=\"" + place.reading().base() + "/?author="
                        + place.item().author() + "\" target=\""
                        + quoted(block.text("linkTarget", "_self")) + "\" class=\"wp-block-post-author-name__link\">"
                        + name + "</a>"
                : name;
        return element("div", block, shown);
    }

    private static String postCommentsLink(ServedBlock block, Place place) {
        return element(
                "div",
                block,
                "<a href=" + page(place) + "#respond>No comments<span class=\"screen-reader-text\"> on "
                        + title(place.item()) + "</span></a>");
    }

    private static String readMore(ServedBlock block, Place place) {
        String title = title(place.item());
        return "<a class=\"" + classes(block) + "\" href=\"" + page(place) + "\" target=\""
                + quoted(block.text("linkTarget", "_self")) + "\">" + markup(block.text("content", "Read more"))
                + "<span class=\"screen-reader-text\">: " + title + "</span></a>";
    }

    /** A form whose field unfolds is left out: it needs a script. */
    private static String search(ServedBlock block, Place place) {
        String position = block.text("buttonPosition", "button-outside");
        if (!Set.of("button-outside", "button-inside", "no-button").contains(position)) {
            return "";
        }
        boolean hasButton = !position.equals("no-button");
        boolean isIcon = block.is("buttonUseIcon", false);
        String id = "wp-block-search__input-" + place.nextForm();
        String label = markup(block.text("label", "Search"));
        String named = block.text("buttonText", "Search");
        StringBuilder form = new StringBuilder("<form role=\"search\" method=\"get\" action=\"");
        form.append(place.reading().base()).append("/\" class=\"");
        form.append(classes(
                        block,
                        "wp-block-search__" + position,
                        hasButton ? "wp-block-search__" + (isIcon ? "icon-button" : "text-button") : ""))
                .append("\"    >");
        form.append("<label class=\"wp-block-search__label");
        form.append(block.is("showLabel", true) ? "" : " screen-reader-text")
                .append("\" for=\"")
                .append(id);
        form.append("\" >").append(label.isEmpty() ? "Search" : label).append("</label>");
        form.append("<div class=\"wp-block-search__inside-wrapper\" ")
                .append(width(block))
                .append('>');
        form.append("<input class=\"wp-block-search__input\" id=\"").append(id).append("\" placeholder=\"");
        form.append(quoted(block.text("placeholder", "")));
        form.append("\" value=\"\" type=\"search\" name=\"s\" required />");
        block.attributes()
                .path("query")
                .properties()
                .forEach(field -> form.append("<input type=\"hidden\" name=\"")
                        .append(quoted(field.getKey()))
                        .append("\" value=\"")
                        .append(quoted(field.getValue().asString("")))
                        .append("\" />"));
        if (hasButton) {
            form.append("<button aria-label=\"").append(quoted(named)).append("\" class=\"wp-block-search__button");
            form.append(isIcon ? " has-icon" : "").append(" wp-element-button\" type=\"submit\" >");
            form.append(isIcon ? ICON : markup(named)).append("</button>");
        }
        return form.append("</div></form>").toString();
    }

    private static String width(ServedBlock block) {
        int width = block.number("width", 0);
        return width > 0
                ? " style=\"width: " + width + (block.text("widthUnit", "%").equals("px") ? "px" : "%") + "\""
                : "";
    }

    private static String element(String tag, ServedBlock block, String inner, String... own) {
        return "<" + tag + " class=\"" + classes(block, own) + "\">" + inner + "</" + tag + ">";
    }

    /** Names the classes of a block: its own, what its author chose, its name, and its colours. */
    private static String classes(ServedBlock block, String... own) {
        Stream<String> wished = Stream.of(
                named("has-text-align-", block.text("textAlign", ""), ""),
                named("align", block.text("align", ""), ""),
                quoted(block.text("className", "")),
                "wp-block-" + block.name(),
                block.text("textColor", "").isEmpty() ? "" : "has-text-color",
                named("has-", block.text("textColor", ""), "-color"),
                block.text("backgroundColor", "").isEmpty() ? "" : "has-background",
                named("has-", block.text("backgroundColor", ""), "-background-color"),
                named("has-", block.text("fontSize", ""), "-font-size"));
        return Stream.concat(Stream.of(own), wished)
                .filter(Predicate.not(String::isEmpty))
                .collect(Collectors.joining(" "));
    }

    private static String named(String before, String name, String after) {
        String slug = Slugs.of(name);
        return slug.isEmpty() ? "" : before + slug + after;
    }

    private static String heading(ServedBlock block, int usual) {
        int level = block.number("level", usual);
        int known = level < 0 || level > 6 ? usual : level;
        return known == 0 ? "p" : "h" + known;
    }

    private static String title(Item item) {
        String title = item.title().rendered();
        if (title.isEmpty()) {
            return "";
        }
        return (item.isGuarded() ? "Protected: " : item.status() == ItemStatus.PRIVATE ? "Private: " : "") + title;
    }

    private static String page(Place place) {
        return place.item().type().page(place.reading().base(), place.item().id());
    }

    private static String page(Entry entry, Place place) {
        return entry.type().page(place.reading().base(), entry.id());
    }

    /** Spells what somebody wrote as a text that may hold a few tags. */
    private static String markup(String text) {
        return Rendering.markup(HtmlPolicy.cleanContent(text));
    }

    /** Spells a text, which may be HTML, as the value of an attribute. */
    private static String quoted(String text) {
        return Rendering.attribute(text);
    }
}
