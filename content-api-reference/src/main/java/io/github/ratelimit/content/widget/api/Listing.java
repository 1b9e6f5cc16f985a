package io.github.ratelimit.content.widget.api;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
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
public record Listing<T>(
        @ArraySchema(maxItems = 100) List<T> items,
        @Schema(minimum = "1") int page,
        @Schema(minimum = "1", maximum = "100") int perPage,
        @Schema(minimum = "0") long total,
        @Schema(minimum = "0") long totalPages) {}
