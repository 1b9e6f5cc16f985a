package io.github.ratelimit.content.cms.media.image;

/**
 * How much a picture may ask for.
 *
 * @param pixels the most pixels of one frame
 * @param side the most pixels of one side
 * @param frames the most frames
 */
public record ImageLimits(long pixels, int side, int frames) {

    /** Checks the values. */
    public ImageLimits {
        if (pixels < 1 || side < 1 || frames < 1) {
            throw new IllegalArgumentException(
                    "pixels, side and frames must be 1 or more, were " + pixels + ", " + side + " and " + frames);
        }
    }

    /** Returns 50 megapixels, 20 000 pixels a side, 500 frames. */
    public static ImageLimits usual() {
        return new ImageLimits(50_000_000, 20_000, 500);
    }

    void check(long width, long height) throws UnusableImageException {
        if (width < 1 || height < 1) {
            throw new UnusableImageException("the picture has no size");
        }
        if (width > side || height > side) {
            throw new UnusableImageException("the picture is more than " + side + " pixels wide or high");
        }
        if (width * height > pixels) {
            throw new UnusableImageException("the picture has more than " + pixels + " pixels");
        }
    }

    void checkFrames(int found) throws UnusableImageException {
        if (found > frames) {
            throw new UnusableImageException("the picture has more than " + frames + " frames");
        }
    }
}
