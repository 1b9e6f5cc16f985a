package io.github.ratelimit.content.widget.sync;

/** The number of documents that a write created, updated, left unchanged and deleted. */
public record SyncResult(int created, int updated, int unchanged, int deleted) {}
