package io.github.ratelimit.content.cms.security;

/** Tells which accounts have published something. The package that keeps content provides it. */
public interface AuthoredContent {
    /**
     * Selects the authors of published items, whom anybody may see.
     *
     * @return constant SQL on the column {@code a.id}
     */
    String isPublicAuthor();
}
