package io.github.ratelimit.content.cms.media.image;

import java.util.Optional;
import java.util.stream.Stream;

/** The picture formats that this server decodes. */
public enum ImageFormat {
    /** JPEG, baseline and progressive. */
    JPEG("image/jpeg"),
    /** PNG. */
    PNG("image/png"),
    /** GIF, of which the first frame is worked with. */
    GIF("image/gif"),
    /** WebP; what is made of it is WebP with loss, where its native code runs. */
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
        return Stream.of(values())
                .filter(format -> format.mediaType.equals(mediaType))
                .findFirst();
    }
}
