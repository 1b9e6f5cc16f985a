package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.ItemRights;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The types of items that are stored, and what differs between them by nature. To add a type, add a constant. */
public enum ItemType {
    /** Posts. */
    POST(
            "post",
            "posts",
            "p",
            "Posts",
            ItemRights.Capabilities.POST,
            Feature.TEXT,
            Feature.TERMS,
            Feature.STICKINESS,
            Feature.FORMATS,
            Feature.COMMENTS,
            Feature.PINGS),
    /** Pages, which stand below each other. */
    PAGE("page", "pages", "page_id", "Pages", ItemRights.Capabilities.PAGE, Feature.TEXT, Feature.TREE),
    /** Uploaded files. */
    ATTACHMENT("attachment", "media", "attachment_id", "Media", ItemRights.Capabilities.MEDIA, Feature.COMMENTS),
    /** Earlier and automatically saved wordings of another item, which is their parent. */
    REVISION("revision", "revisions", "p", "Revisions", ItemRights.Capabilities.POST);

    /** What items of a type can have. */
    public enum Feature {
        /** A text that people write, with its excerpt, its password and its history. */
        TEXT,
        /** A place below another item, and among its siblings. */
        TREE,
        /** Categories and tags. */
        TERMS,
        /** A place on top of lists. */
        STICKINESS,
        /** Several ways to be shown. */
        FORMATS,
        /** Comments are welcome, unless an item says otherwise. */
        COMMENTS,
        /** Announcements of links are welcome, unless an item says otherwise. */
        PINGS
    }

    private final String wireName;
    private final String collection;
    private final String queryName;
    private final String title;
    private final ItemRights.Capabilities capabilities;
    // An immutable set, which its type does not tell.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Feature> features;

    ItemType(
            String wireName,
            String collection,
            String queryName,
            String title,
            ItemRights.Capabilities capabilities,
            Feature... features) {
        this.wireName = wireName;
        this.collection = collection;
        this.queryName = queryName;
        this.title = title;
        this.capabilities = capabilities;
        this.features = Set.of(features);
    }

    /**
     * Lists the types whose texts people write: those with routes to list, read, write, and look back.
     *
     * @return in the order of the index
     */
    public static List<ItemType> written() {
        return Arrays.stream(values()).filter(type -> type.has(Feature.TEXT)).toList();
    }

    /**
     * Lists the types that have pages of their own.
     *
     * @return all but wordings of other items
     */
    public static List<ItemType> shown() {
        return Arrays.stream(values()).filter(type -> type != REVISION).toList();
    }

    /**
     * Says whether items of this type can have something.
     *
     * @param feature what
     * @return whether they can
     */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /**
     * Finds a type by the name that answers carry.
     *
     * @param wireName for example {@code post}
     * @return the type
     * @throws IllegalArgumentException if there is none
     */
    static ItemType of(String wireName) {
        return Arrays.stream(values())
                .filter(type -> type.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such type of item: " + wireName));
    }

    /**
     * Names the type as answers do.
     *
     * @return for example {@code post}
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Names the type for people.
     *
     * @return several of it
     */
    public String title() {
        return title;
    }

    /**
     * Names the parameter of the address of an item's page.
     *
     * @return for example {@code page_id}
     */
    public String queryName() {
        return queryName;
    }

    /**
     * Spells the route of all items of this type.
     *
     * @return for example {@code /cms/v2/posts}
     */
    public String route() {
        return "/cms/v2/" + collection;
    }

    /**
     * Spells the route of one item.
     *
     * @param id its id
     * @return for example {@code /cms/v2/posts/7}
     */
    public String route(long id) {
        return route() + "/" + id;
    }

    /**
     * Spells the address of the public page of an item.
     *
     * @param baseUrl the site's address
     * @param id its id
     * @return for example {@code {base}/?p=7}
     */
    public String page(String baseUrl, long id) {
        return baseUrl + "/?" + queryName + "=" + id;
    }

    /**
     * Tells the capabilities that items of this type ask for.
     *
     * @return one for each thing that is done with an item
     */
    public ItemRights.Capabilities capabilities() {
        return capabilities;
    }

    /**
     * Names the templates that an item of this type can be shown with, beside the usual one.
     *
     * @return for pages, one without a title
     */
    Set<String> templates() {
        return this == PAGE ? Set.of("page-no-title") : Set.of();
    }

    /** Says within what a slug may occur once. */
    String slugScope(long parent) {
        return has(Feature.TREE) ? wireName + "/" + parent : wireName;
    }
}
