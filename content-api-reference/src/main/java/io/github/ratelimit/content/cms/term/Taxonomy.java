package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.security.Capability;
import java.util.Arrays;

/** The ways to sort posts. */
public enum Taxonomy {
    /** Categories stand below each other. */
    CATEGORY("category", "categories", "category-", Capability.MANAGE_TERMS),
    /** Tags stand side by side. */
    TAG("post_tag", "tags", "tag-", Capability.EDIT_POSTS);

    private final String wireName;
    private final String collection;
    private final String classPrefix;
    private final Capability create;

    Taxonomy(String wireName, String collection, String classPrefix, Capability create) {
        this.wireName = wireName;
        this.collection = collection;
        this.classPrefix = classPrefix;
        this.create = create;
    }

    static Taxonomy of(String wireName) {
        return Arrays.stream(values())
                .filter(taxonomy -> taxonomy.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such taxonomy: " + wireName));
    }

    /**
     * Names the taxonomy as answers do.
     *
     * @return for example {@code post_tag}
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Names the argument, the field and the route of its terms.
     *
     * @return for example {@code tags}
     */
    public String collection() {
        return collection;
    }

    /**
     * Spells the route of its terms.
     *
     * @return for example {@code /cms/v2/tags}
     */
    public String route() {
        return "/cms/v2/" + collection;
    }

    /**
     * Spells the class that a term gives an item.
     *
     * @param slug the term's
     * @return for example {@code tag-red}
     */
    public String cssClass(String slug) {
        return classPrefix + slug;
    }

    /**
     * Is needed to make a term.
     *
     * @return the capability
     */
    public Capability create() {
        return create;
    }

    /**
     * Says whether terms may stand below each other.
     *
     * @return whether they have parents
     */
    public boolean isHierarchical() {
        return this == CATEGORY;
    }
}
