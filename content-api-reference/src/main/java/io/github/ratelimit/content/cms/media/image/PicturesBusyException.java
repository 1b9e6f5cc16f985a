package io.github.ratelimit.content.cms.media.image;

import java.io.IOException;
import java.io.Serial;

/** No place was free in time: nothing is wrong with the picture, and it can be worked on later. */
public final class PicturesBusyException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    PicturesBusyException() {
        super("too many pictures are being worked on");
    }
}
