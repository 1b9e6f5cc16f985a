package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.shared.storage.Column;
import java.util.Map;

/**
 * What is stored of an account besides what code asks for by name, as whoever shows accounts declares it. Immutable; safe for concurrent use.
 *
 * @param stored the columns, by the names of the members
 */
public record AccountMembers(Map<String, Column<?>> stored) {}
