package io.github.ratelimit.content.cms.media.image;

/** One step of an edit. A value. */
public sealed interface Modifier {

    /**
     * Mirrors a picture.
     *
     * @param horizontal whether left and right change places
     * @param vertical whether top and bottom change places
     */
    record Flip(boolean horizontal, boolean vertical) implements Modifier {}

    /**
     * Turns a picture.
     *
     * @param angle degrees clockwise, finite
     */
    record Rotate(double angle) implements Modifier {

        /** Checks the angle. */
        public Rotate {
            if (!Double.isFinite(angle)) {
                throw new IllegalArgumentException("angle must be finite, was " + angle);
            }
        }
    }

    /**
     * Cuts a part out; all in hundredths of the picture as it is at that point.
     *
     * @param left of the part
     * @param top of the part
     * @param width of the part
     * @param height of the part
     */
    record Crop(double left, double top, double width, double height) implements Modifier {}
}
