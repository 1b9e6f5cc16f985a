package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.Caller;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.term.Taxonomy;
import io.github.ratelimit.content.term.Term;
import io.github.ratelimit.content.term.TermStore;
import io.github.ratelimit.content.text.Rendering;
import io.github.ratelimit.content.text.SiteDates;
import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Site;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an answer shows of an item, in the context that was asked for, with its links.
 *
 * <p>What an item is shown with (terms, revisions) is looked up for all items of an answer at once.
 */
@Component
public class ItemView {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Site site;
    private final ItemStore items;
    private final TermStore terms;
    private final ItemAccess access;

    ItemView(Site site, ItemStore items, TermStore terms, ItemAccess access) {
        this.site = site;
        this.items = items;
        this.terms = terms;
        this.access = access;
    }

    /** What several items are shown with. */
    private record Surroundings(
            Map<Long, List<Term>> terms, Map<Long, ItemStore.History> histories, Map<Long, ItemType> parents) {}

    /**
     * Shows one item.
     *
     * @param request who asks, and in which words
     * @param item what to show
     * @param context how much of it
     * @return a tree of its own, {@code _links} last
     */
    public ObjectNode show(RestRequest request, Item item, Context context) {
        return show(request, item, context, surroundings(List.of(item)));
    }

    /**
     * Shows several items.
     *
     * @param request who asks, and in which words
     * @param shown what to show
     * @param context how much of each
     * @return a list of its own
     */
    public ArrayNode show(RestRequest request, Collection<Item> shown, Context context) {
        ArrayNode list = JSON.arrayNode();
        Surroundings surroundings = surroundings(shown);
        shown.forEach(item -> list.add(show(request, item, context, surroundings)));
        return list;
    }

    private Surroundings surroundings(Collection<Item> shown) {
        List<Long> posts = new ArrayList<>();
        List<Long> revised = new ArrayList<>();
        List<Long> parents = new ArrayList<>();
        for (Item item : shown) {
            if (item.type() == ItemType.POST) {
                posts.add(item.id());
            }
            if (item.type() != ItemType.ATTACHMENT) {
                revised.add(item.id());
            }
            if (item.type() == ItemType.PAGE && item.parent() > 0) {
                parents.add(item.parent());
            }
        }
        return new Surroundings(terms.termsOf(posts), items.histories(revised), items.types(parents));
    }

    private ObjectNode show(RestRequest request, Item item, Context context, Surroundings surroundings) {
        List<Term> sorted = surroundings.terms().getOrDefault(item.id(), List.of());
        boolean isOpen = access.isOpen(request, item, context);
        ObjectNode node = JSON.objectNode();
        putIdentity(node, request.baseUrl(), item, context);
        putText(node, "title", item.title(), context);
        if (item.type() != ItemType.ATTACHMENT) {
            putBody(node, request, item, context, isOpen);
        }
        node.put("author", item.author());
        node.put("featured_media", item.featuredMedia());
        if (context != Context.EMBED) {
            putDetails(node, item, sorted);
            if (context == Context.EDIT) {
                node.put("permalink_template", item.type().page(request.baseUrl(), item.id()));
                node.put("generated_slug", Slugs.of(item.title().raw()));
            }
            putClasses(node, item, sorted);
        }
        node.set("_links", links(request, item, context, surroundings));
        return node;
    }

    private void putIdentity(ObjectNode node, String baseUrl, Item item, Context context) {
        String page = item.type().page(baseUrl, item.id());
        node.put("id", item.id());
        node.put("date", local(item.published()));
        if (context != Context.EMBED) {
            node.put("date_gmt", utc(item.published()));
            ObjectNode guid = node.putObject("guid").put("rendered", page);
            if (context == Context.EDIT) {
                guid.put("raw", page);
            }
            node.put("modified", local(item.modified()));
            node.put("modified_gmt", utc(item.modified()));
        }
        if (context == Context.EDIT && item.type() != ItemType.ATTACHMENT) {
            node.put("password", item.password());
        }
        node.put("slug", item.slug());
        if (context != Context.EMBED) {
            node.put("status", item.status().wireName());
        }
        node.put("type", item.type().wireName());
        node.put("link", page);
    }

    /**
     * Adds a text.
     *
     * @param node takes it
     * @param name of the member
     * @param text what it says
     * @param context shows editors what was written, too
     * @return the member
     */
    public static ObjectNode putText(ObjectNode node, String name, Text text, Context context) {
        ObjectNode member = node.putObject(name);
        if (context == Context.EDIT) {
            member.put("raw", text.raw());
        }
        return member.put("rendered", text.rendered());
    }

    private static void putBody(ObjectNode node, RestRequest request, Item item, Context context, boolean isOpen) {
        if (context != Context.EMBED) {
            Text content =
                    new Text(item.content().raw(), isOpen ? item.content().rendered() : "");
            ObjectNode member = putText(node, "content", content, context).put("protected", item.isGuarded());
            if (context == Context.EDIT) {
                member.put("block_version", item.blockVersion());
            }
        }
        Text excerpt = new Text(item.excerpt().raw(), isOpen ? excerpt(request, item) : "");
        putText(node, "excerpt", excerpt, context).put("protected", item.isGuarded());
    }

    /** Excerpts of another length than the usual one are the only texts that are rendered when they are read. */
    private static String excerpt(RestRequest request, Item item) {
        OptionalLong words = request.arguments().integer("excerpt_length");
        if (words.isEmpty() || !item.excerpt().raw().isEmpty()) {
            return item.excerpt().rendered();
        }
        int most = (int) Math.max(0, Math.min(words.getAsLong(), Integer.MAX_VALUE));
        return Rendering.excerpt("", item.content().raw(), most);
    }

    private static void putDetails(ObjectNode node, Item item, List<Term> sorted) {
        if (item.type() == ItemType.PAGE) {
            node.put("parent", item.parent());
            node.put("menu_order", item.menuOrder());
        }
        node.put("comment_status", item.commentsOpen() ? "open" : "closed");
        node.put("ping_status", item.pingsOpen() ? "open" : "closed");
        if (item.type() == ItemType.POST) {
            node.put("sticky", item.isSticky());
        }
        node.put("template", "");
        if (item.type() == ItemType.POST) {
            node.put("format", item.format());
        }
        if (item.type() == ItemType.ATTACHMENT) {
            node.putArray("meta");
        } else {
            node.putObject("meta").put("footnotes", item.footnotes());
        }
        if (item.type() == ItemType.POST) {
            for (Taxonomy taxonomy : Taxonomy.values()) {
                ArrayNode ids = node.putArray(taxonomy.collection());
                sorted.stream().filter(term -> term.taxonomy() == taxonomy).forEach(term -> ids.add(term.id()));
            }
        }
    }

    private static void putClasses(ObjectNode node, Item item, List<Term> sorted) {
        ArrayNode classes = node.putArray("class_list");
        String type = item.type().wireName();
        classes.add("post-" + item.id());
        classes.add(type);
        classes.add("type-" + type);
        classes.add("status-" + item.status().wireName());
        boolean isPost = item.type() == ItemType.POST;
        if (isPost) {
            classes.add("format-" + item.format());
        }
        if (item.isGuarded()) {
            classes.add("post-password-required");
        } else if (item.featuredMedia() > 0 && item.type() != ItemType.ATTACHMENT) {
            classes.add("has-post-thumbnail");
        }
        classes.add("hentry");
        for (Taxonomy taxonomy : Taxonomy.values()) {
            sorted.stream()
                    .filter(term -> term.taxonomy() == taxonomy)
                    .forEach(term -> classes.add(taxonomy.cssClass(term.slug())));
        }
        if (isPost && !item.format().equals("standard")) {
            classes.add("post_format-post-format-" + item.format());
        }
    }

    private ObjectNode links(RestRequest request, Item item, Context context, Surroundings surroundings) {
        String base = request.baseUrl();
        String self = RestAddress.of(base, item.type().route(item.id()));
        ObjectNode links = JSON.objectNode();
        ObjectNode own = link(links, "self", self);
        putAllowed(own, request, item);
        link(links, "collection", RestAddress.of(base, item.type().route()));
        link(links, "about", RestAddress.of(base, "/cms/v2/types/" + item.type().wireName()));
        if (item.author() > 0) {
            embeddable(links, "author", RestAddress.of(base, "/cms/v2/users/" + item.author()));
        }
        embeddable(links, "replies", RestAddress.with(base, "/cms/v2/comments", "post", item.id()));
        boolean isFile = item.type() == ItemType.ATTACHMENT;
        boolean hasCuries = false;
        if (!isFile) {
            putHistory(links, self, surroundings.histories().getOrDefault(item.id(), ItemStore.History.NONE));
            ItemType above = surroundings.parents().get(item.parent());
            if (item.type() == ItemType.PAGE && above != null) {
                embeddable(links, "up", RestAddress.of(base, above.route(item.parent())));
            }
            if (item.featuredMedia() > 0) {
                String picture = ItemType.ATTACHMENT.route(item.featuredMedia());
                embeddable(links, "wp:featuredmedia", RestAddress.of(base, picture));
            }
            link(links, "wp:attachment", RestAddress.with(base, ItemType.ATTACHMENT.route(), "parent", item.id()));
            hasCuries = true;
        }
        if (item.type() == ItemType.POST) {
            putTerms(links, base, item);
        }
        if (context == Context.EDIT) {
            hasCuries |= putActions(links, self, request.caller(), item);
        }
        if (hasCuries) {
            putCuries(links);
        }
        return links;
    }

    private void putAllowed(ObjectNode own, RestRequest request, Item item) {
        ArrayNode allow = JSON.arrayNode();
        if (access.mayRead(request, item)) {
            allow.add("GET");
        }
        if (access.mayEdit(request.caller(), item)) {
            allow.add("POST").add("PUT").add("PATCH");
        }
        if (access.mayDelete(request.caller(), item)) {
            allow.add("DELETE");
        }
        if (!allow.isEmpty()) {
            own.putObject("targetHints").set("allow", allow);
        }
    }

    private static void putHistory(ObjectNode links, String self, ItemStore.History history) {
        ObjectNode versions = links.putArray("version-history").addObject().put("count", history.count());
        versions.put("href", self + "/revisions");
        if (history.count() > 0) {
            ObjectNode last = links.putArray("predecessor-version").addObject().put("id", history.latest());
            last.put("href", self + "/revisions/" + history.latest());
        }
    }

    private static void putTerms(ObjectNode links, String base, Item item) {
        ArrayNode list = links.putArray("wp:term");
        for (Taxonomy taxonomy : Taxonomy.values()) {
            ObjectNode link = list.addObject().put("taxonomy", taxonomy.wireName());
            link.put("embeddable", true);
            link.put("href", RestAddress.with(base, taxonomy.route(), "post", item.id()));
        }
    }

    /** Editors' tools show a button for each of these. */
    private static boolean putActions(ObjectNode links, String self, Caller caller, Item item) {
        List<String> actions = new ArrayList<>();
        if (item.type() != ItemType.ATTACHMENT && caller.may(item.type().kind().publish())) {
            actions.add("publish");
        }
        if (caller.may(Capability.UNFILTERED_HTML)) {
            actions.add("unfiltered-html");
        }
        boolean isPost = item.type() == ItemType.POST;
        if (isPost && ItemAccess.maySticky(caller)) {
            actions.add("sticky");
        }
        if (caller.may(item.type().kind().editOthers())) {
            actions.add("assign-author");
        }
        if (isPost) {
            for (Taxonomy taxonomy : Taxonomy.values()) {
                if (caller.may(taxonomy.create())) {
                    actions.add("create-" + taxonomy.collection());
                }
                if (caller.may(Capability.EDIT_POSTS)) {
                    actions.add("assign-" + taxonomy.collection());
                }
            }
        }
        actions.forEach(action -> link(links, "wp:action-" + action, self));
        return !actions.isEmpty();
    }

    /**
     * Says what the prefix of relations stands for.
     *
     * @param links takes it
     */
    public static void putCuries(ObjectNode links) {
        ObjectNode curie = links.putArray("curies").addObject().put("name", "wp");
        curie.put("href", "https://api.w.org/{rel}");
        curie.put("templated", true);
    }

    /**
     * Adds a link.
     *
     * @param links takes it
     * @param relation how it is related
     * @param href where it leads
     * @return the link
     */
    public static ObjectNode link(ObjectNode links, String relation, String href) {
        return links.putArray(relation).addObject().put("href", href);
    }

    private static void embeddable(ObjectNode links, String relation, String href) {
        links.putArray(relation).addObject().put("embeddable", true).put("href", href);
    }

    /**
     * Spells a moment in the site's time.
     *
     * @param moment any
     * @return without a zone
     */
    public String local(Instant moment) {
        return SiteDates.print(moment, site.zone());
    }

    /**
     * Spells a moment in UTC.
     *
     * @param moment any
     * @return without a zone
     */
    public static String utc(Instant moment) {
        return SiteDates.print(moment, ZoneOffset.UTC);
    }
}
