package io.github.ratelimit.content.media.image;

import java.util.Optional;

/** The picture formats that this server decodes. */
public enum ImageFormat {
    /** JPEG, baseline and progressive. */
    JPEG("image/jpeg"),
    /** PNG. */
    PNG("image/png"),
    /** GIF, of which the first frame is worked with. */
    GIF("image/gif"),
    /** WebP; sub-sizes of it are lossless WebP. */
    WEBP("image/webp");

    private final String mediaType;

    ImageFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns for example {@code image/jpeg}. */
    public String mediaType() {
        return mediaType;
    }

    /**
     * Finds the format of a media type.
     *
     * @param mediaType lower case, without parameters
     * @return empty if it is none of ours
     */
    public static Optional<ImageFormat> ofMediaType(String mediaType) {
        for (ImageFormat format : values()) {
            if (format.mediaType.equals(mediaType)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /**
     * Finds the format by the first bytes of a file.
     *
     * @param head the beginning; 12 bytes are enough
     * @return empty if it is none of ours
     */
    public static Optional<ImageFormat> ofContent(byte[] head) {
        if (startsWith(head, 0, 0xff, 0xd8, 0xff)) {
            return Optional.of(JPEG);
        }
        if (startsWith(head, 0, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n')) {
            return Optional.of(PNG);
        }
        if (startsWith(head, 0, 'G', 'I', 'F', '8', '7', 'a') || startsWith(head, 0, 'G', 'I', 'F', '8', '9', 'a')) {
            return Optional.of(GIF);
        }
        if (startsWith(head, 0, 'R', 'I', 'F', 'F') && startsWith(head, 8, 'W', 'E', 'B', 'P')) {
            return Optional.of(WEBP);
        }
        return Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, int offset, int... expected) {
        if (bytes.length < offset + expected.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if ((bytes[offset + i] & 0xff) != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
