package io.github.ratelimit.content.widget.sync;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** One page of a workspace's documents, by id; {@code page} counts from 1. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record DocumentPage(List<Document> items, int page, int perPage, long total, long totalPages) {}
