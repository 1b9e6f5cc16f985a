package io.github.ratelimit.content.widget.sync;

import java.util.List;

/** One page of a workspace's documents, by id; {@code page} counts from 1. */
record DocumentPage(List<Document> items, int page, int perPage, long total, long totalPages) {}
