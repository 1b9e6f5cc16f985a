package io.github.ratelimit.content.cms.media.image;

import java.util.List;
import java.util.Optional;

/**
 * Which smaller pictures belong to a picture, and how large they are.
 *
 * <p>Pure arithmetic. Rule: the sizes that clients of this interface ask for by name.
 */
public final class SubSizes {

    private static final int LARGEST_SHOWN = 2560;

    private static final Size SHOWN = new Size("full", LARGEST_SHOWN, LARGEST_SHOWN, false);

    private static final List<Size> ALL = List.of(
            new Size("medium", 300, 300, false),
            new Size("large", 1024, 1024, false),
            new Size("thumbnail", 150, 150, true),
            new Size("medium_large", 768, 0, false),
            new Size("1536x1536", 1536, 1536, false),
            new Size("2048x2048", 2048, 2048, false));

    private SubSizes() {}

    /**
     * One size that clients know.
     *
     * @param name as in {@code media_details.sizes}
     * @param width the most pixels, 0 for any
     * @param height the most pixels, 0 for any
     * @param crop whether the picture fills the size, and what sticks out is cut off
     */
    public record Size(String name, int width, int height, boolean crop) {}

    /**
     * A part of a picture and what it is scaled to.
     *
     * @param x left edge in the source
     * @param y upper edge in the source
     * @param sourceWidth width of the part
     * @param sourceHeight height of the part
     * @param width width it is scaled to
     * @param height height it is scaled to
     */
    public record Scaling(int x, int y, int sourceWidth, int sourceHeight, int width, int height) {}

    /** Returns all sizes, in the order in which answers list them. */
    public static List<Size> all() {
        return ALL;
    }

    /**
     * Computes what is shown in place of a picture that is too long; the original is kept beside it.
     *
     * @param width of the picture, 1 or more
     * @param height of the picture, 1 or more
     * @return empty if the picture itself is shown
     */
    public static Optional<Scaling> shown(int width, int height) {
        return scaling(SHOWN, width, height);
    }

    /**
     * Computes a sub-size.
     *
     * @param size which one
     * @param width of the picture, 1 or more
     * @param height of the picture, 1 or more
     * @return empty if the picture is not larger than it
     */
    public static Optional<Scaling> scaling(Size size, int width, int height) {
        if (size.crop()) {
            int newWidth = Math.min(size.width(), width);
            int newHeight = Math.min(size.height(), height);
            double ratio = Math.max((double) newWidth / width, (double) newHeight / height);
            int cropWidth = (int) Math.round(newWidth / ratio);
            int cropHeight = (int) Math.round(newHeight / ratio);
            if (same(newWidth, width) && same(newHeight, height)) {
                return Optional.empty();
            }
            return Optional.of(new Scaling(
                    (width - cropWidth) / 2, (height - cropHeight) / 2, cropWidth, cropHeight, newWidth, newHeight));
        }
        int[] fitted = fit(width, height, size.width(), size.height());
        if (same(fitted[0], width) && same(fitted[1], height)) {
            return Optional.empty();
        }
        return Optional.of(new Scaling(0, 0, width, height, fitted[0], fitted[1]));
    }

    /**
     * Fits a picture into a box.
     *
     * @param width of the picture
     * @param height of the picture
     * @param mostWidth of the box, 0 for any
     * @param mostHeight of the box, 0 for any
     * @return width and height, at least 1 each, never larger than the picture
     */
    static int[] fit(int width, int height, int mostWidth, int mostHeight) {
        double widthRatio = mostWidth > 0 && width > mostWidth ? (double) mostWidth / width : 1;
        double heightRatio = mostHeight > 0 && height > mostHeight ? (double) mostHeight / height : 1;
        double ratio = Math.min(widthRatio, heightRatio);
        int fittedWidth = (int) Math.max(1, Math.round(width * ratio));
        int fittedHeight = (int) Math.max(1, Math.round(height * ratio));
        // One pixel less than the box is a rounding error, not a size that somebody asked for.
        if (widthRatio < 1 && fittedWidth == mostWidth - 1) {
            fittedWidth = mostWidth;
        }
        if (heightRatio < 1 && fittedHeight == mostHeight - 1) {
            fittedHeight = mostHeight;
        }
        return new int[] {fittedWidth, fittedHeight};
    }

    private static boolean same(int a, int b) {
        return Math.abs(a - b) <= 1;
    }
}
