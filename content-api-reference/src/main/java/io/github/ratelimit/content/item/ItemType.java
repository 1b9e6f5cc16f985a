package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.ItemKind;
import java.util.Arrays;

/** The kinds of items that are stored, and what differs between them by nature. */
public enum ItemType {
    /** Posts. */
    POST("post", "posts", "p", ItemKind.POST),
    /** Pages, which stand below each other. */
    PAGE("page", "pages", "page_id", ItemKind.PAGE),
    /** Uploaded files. */
    ATTACHMENT("attachment", "media", "attachment_id", ItemKind.MEDIA),
    /** Earlier and automatically saved wordings of another item, which is their parent. */
    REVISION("revision", "revisions", "p", ItemKind.POST);

    private final String wireName;
    private final String collection;
    private final String queryName;
    private final ItemKind kind;

    ItemType(String wireName, String collection, String queryName, ItemKind kind) {
        this.wireName = wireName;
        this.collection = collection;
        this.queryName = queryName;
        this.kind = kind;
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
     * Spells the pattern of the route of one item.
     *
     * @param segment the pattern's last part, such as {@code <parent>}
     * @return for example {@code /cms/v2/posts/<parent>}
     */
    public String route(String segment) {
        return route() + "/" + segment;
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
     * @return the kind of item, as the table of capabilities knows it
     */
    public ItemKind kind() {
        return kind;
    }

    /** Says within what a slug may occur once. */
    String slugScope(long parent) {
        return this == PAGE ? wireName + "/" + parent : wireName;
    }
}
