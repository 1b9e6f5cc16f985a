package io.github.ratelimit.content.widget.api;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One page of a list.
 *
 * @param <T> the type of item
 * @param items the page's items
 * @param page from 1
 * @param perPage the most items on a page
 * @param total the items on all pages
 * @param totalPages the number of pages
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Listing<T>(List<T> items, int page, int perPage, long total, long totalPages) {}
