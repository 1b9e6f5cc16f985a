package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.ContentApiApplication;

/** The server on a machine where the native code that writes WebP cannot be unpacked. */
public final class WithoutWebpEncoder {

    private WithoutWebpEncoder() {}

    /** Starts the server. */
    public static void main(String[] args) {
        System.setProperty("com.luciad.imageio.webp.tmpdir", "folder-that-is-not-there");
        ContentApiApplication.main(args);
    }
}
