package io.github.ratelimit.content.cms.rest;

import tools.jackson.databind.node.ObjectNode;

/** Adds to the links of an answer. */
public final class Links {
    private Links() {}

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

    /**
     * Says what the prefix of relations stands for.
     *
     * @param links takes it
     */
    public static void putCuries(ObjectNode links) {
        ObjectNode curie = links.putArray("curies").addObject().put("name", "wp");
        curie.put("href", "https://api.w.org/{rel}").put("templated", true);
    }
}
