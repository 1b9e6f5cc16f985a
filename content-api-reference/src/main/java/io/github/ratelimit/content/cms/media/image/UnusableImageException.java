package io.github.ratelimit.content.cms.media.image;

import java.io.IOException;
import java.io.Serial;

/** A file that is no picture this server works with: broken, not what it claims to be, or too much to decode. */
public final class UnusableImageException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason what is wrong, for the person who sent the file
     */
    public UnusableImageException(String reason) {
        super(reason);
    }
}
