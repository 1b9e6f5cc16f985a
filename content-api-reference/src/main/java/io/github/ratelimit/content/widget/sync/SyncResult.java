package io.github.ratelimit.content.widget.sync;

/**
 * What a write did.
 *
 * @param created documents that were new
 * @param updated documents that were there and differed
 * @param unchanged documents that were there already, just so
 * @param deleted documents that are gone
 */
public record SyncResult(int created, int updated, int unchanged, int deleted) {}
