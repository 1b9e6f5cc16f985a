package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.shared.storage.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Names a state by what is in it, for {@code ETag}. */
final class Digest {

    private static final int LENGTH = 32;

    private Digest() {}

    static String of(String... parts) {
        MessageDigest digest = Sha256.begin();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            // With its length: parts that are moved to their neighbour make another state.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    }
}
