package io.github.ratelimit.content.widget.sync;

import io.swagger.v3.oas.annotations.media.Schema;

/**
 * What a write did.
 *
 * @param created documents that were new
 * @param updated documents that were there and differed
 * @param unchanged documents that were there already, just so
 * @param deleted documents that are gone
 */
public record SyncResult(
        @Schema(minimum = "0") int created,
        @Schema(minimum = "0") int updated,
        @Schema(minimum = "0") int unchanged,
        @Schema(minimum = "0") int deleted) {}
