package io.github.ratelimit.content.cms.media.image;

import io.github.ratelimit.content.shared.limit.WaitingRoom;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.resizers.configurations.ScalingMode;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Decodes, scales, edits and writes pictures.
 *
 * <p>At most two pictures are in memory at a time, and a large one alone, whoever asks; a caller who waits too long for a place is refused. What
 * is written carries pixels alone: no notes, no place. Safe for concurrent use.
 */
public final class Pictures {

    /** Chosen: two cores; a third picture would only make the others slower. */
    private static final int AT_A_TIME = 2;

    /** Chosen: longer than any two pictures within the limits take. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    /** Chosen: beyond this a picture is worked on alone. */
    private static final long LARGE = 8_000_000;

    /** Chosen: beyond this a picture is thinned out while it is read, as nothing larger than 2560 is made of it. */
    private static final long MOST_DECODED = 25_000_000;

    /** Chosen: what clients and other servers of this interface use; smaller shows. */
    private static final float JPEG_QUALITY = 0.82f;

    /** Chosen: with its source, a third of what a process of 512 MB has left; a picture of 24 megapixels may be turned. */
    private static final long MOST_EDITED = 32_000_000;

    /** Chosen: in bytes; what the server holds beside pictures. */
    private static final long KEPT = 64L << 20;

    /**
     * Chosen: in bytes; what was decoded, what is made of it and what a writer copies of that have up to four each. So a heap of 512 MB allows
     * all of the above; in a smaller one pictures have fewer pixels, as whoever runs out of memory ends the process.
     */
    private static final int HEAP_FOR_A_PIXEL = 14;

    /** Chosen: with less there is no server that pictures could end. */
    private static final long LEAST = 1_000_000;

    private final ImageLimits limits;
    private final long large;
    private final long mostDecoded;
    private final long mostEdited;
    private final WaitingRoom room;
    private final ImageHeaders headers;
    private final @Nullable WebpEncoder webp;
    private final Semaphore places = new Semaphore(AT_A_TIME, true);

    /**
     * Creates the workshop, where any number may wait.
     *
     * @param limits what a picture may ask for
     */
    public Pictures(ImageLimits limits) {
        this(limits, MOST_EDITED, longest -> longest);
    }

    /**
     * Creates the workshop.
     *
     * @param limits what a picture may ask for
     * @param mostEdited the most pixels that a step of an edit may make; fewer in a heap below 512 MB
     * @param room where those who find no place wait
     */
    public Pictures(ImageLimits limits, long mostEdited, WaitingRoom room) {
        this.limits = limits;
        this.room = room;
        long pixels = Math.max(LEAST, (Runtime.getRuntime().maxMemory() - KEPT) / HEAP_FOR_A_PIXEL);
        large = Math.min(LARGE, pixels / AT_A_TIME);
        mostDecoded = Math.min(MOST_DECODED, pixels);
        this.mostEdited = Math.min(mostEdited, pixels);
        headers = new ImageHeaders(limits);
        // Pictures are read from files that are here already; a second copy on disk gains nothing.
        ImageIO.setUseCache(false);
        webp = WebpEncoder.load().orElse(null);
    }

    /** What to do with a picture that is in memory. */
    @FunctionalInterface
    public interface Work<T> {

        /**
         * Works with the picture.
         *
         * @param picture upright if it was asked for, else as it is stored
         */
        T with(BufferedImage picture) throws IOException;
    }

    /**
     * Reads a picture's structure without decoding it.
     *
     * @throws UnusableImageException if it must not be decoded
     */
    public ImageHeader inspect(Path file, ImageFormat format) throws IOException {
        return headers.read(file, format);
    }

    /**
     * Tells whether a picture may say where it was taken.
     *
     * @param file checked by {@link #inspect}
     */
    public boolean tellsPlace(Path file, ImageFormat format, PictureMeta meta) throws IOException {
        return LocationScrubber.isNeeded(file, format, meta);
    }

    /**
     * Copies a picture without the notes that may say where it was taken; every pixel stays.
     *
     * @param from checked by {@link #inspect}
     */
    public void copyWithoutPlace(Path from, Path to, ImageFormat format, PictureMeta meta) throws IOException {
        LocationScrubber.copy(from, to, format, meta.orientation());
    }

    /**
     * Decodes a picture for as long as the work takes.
     *
     * @param file checked by {@link #inspect}, again and again: what lies on disk may not be what was sent
     * @param orientation as in Exif; 0 and 1 leave the picture as it is
     * @throws UnusableImageException if the file is no such picture
     * @throws PicturesBusyException if no place was free in time
     */
    public <T> T open(Path file, ImageFormat format, int orientation, Work<T> work) throws IOException {
        ImageHeader header = headers.read(file, format);
        // Two large pictures, each with what is being made of it, are more than a small process has.
        int needed = (long) header.width() * header.height() > large ? AT_A_TIME : 1;
        if (!acquire(needed)) {
            throw new PicturesBusyException();
        }
        try {
            return work.with(upright(decodeSafely(file, header), orientation));
        } finally {
            places.release(needed);
        }
    }

    /** Cuts and scales a picture. */
    public static BufferedImage scale(BufferedImage picture, SubSizes.Scaling to) throws IOException {
        return Thumbnails.of(picture)
                .sourceRegion(to.x(), to.y(), to.sourceWidth(), to.sourceHeight())
                .forceSize(to.width(), to.height())
                .scalingMode(ScalingMode.PROGRESSIVE_BILINEAR)
                .asBufferedImage();
    }

    /** Scales a picture so that no side is longer than what is shown. */
    public static BufferedImage toLargestShown(BufferedImage picture) throws IOException {
        var smaller = SubSizes.shown(picture.getWidth(), picture.getHeight());
        return smaller.isPresent() ? scale(picture, smaller.get()) : picture;
    }

    /**
     * Applies the steps of an edit in order.
     *
     * @throws UnusableImageException if a part that is cut out lies outside the picture, or a step would make one that is
     *     too large
     */
    public BufferedImage edit(BufferedImage picture, List<Modifier> modifiers) throws IOException {
        BufferedImage edited = picture;
        for (Modifier modifier : modifiers) {
            if (modifier instanceof Modifier.Flip flip) {
                edited = flip(edited, flip);
            } else if (modifier instanceof Modifier.Rotate rotate) {
                edited = rotate(edited, rotate.angle());
            } else if (modifier instanceof Modifier.Crop crop) {
                edited = crop(edited, crop);
            }
        }
        return edited;
    }

    /**
     * Tells whether pictures of a format are written here.
     *
     * @return true, but for WebP where its native code does not run
     */
    public boolean writes(ImageFormat format) {
        return format != ImageFormat.WEBP || webp != null;
    }

    /**
     * Writes a picture. Whoever gives the file its name, {@code UploadStore}, makes sure that it is on disk.
     *
     * @param to is replaced if it is there
     * @throws UnusableImageException if the format is not written here, or holds no picture of this size
     */
    public void write(BufferedImage picture, ImageFormat format, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            switch (format) {
                case JPEG -> writeJpeg(opaque(picture), out);
                case PNG -> writePlain(picture, "png", out);
                case GIF -> writePlain(picture, "gif", out);
                case WEBP -> {
                    if (webp == null) {
                        throw new UnusableImageException("WebP is not written here");
                    }
                    webp.write(picture, out);
                }
            }
        }
    }

    private boolean acquire(int needed) {
        try {
            // At first for no time: that does not overtake those who wait.
            return places.tryAcquire(needed, 0, TimeUnit.MILLISECONDS)
                    || places.tryAcquire(needed, room.patience(LONGEST_WAIT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private BufferedImage decodeSafely(Path file, ImageHeader header) throws UnusableImageException {
        try {
            return decode(file, header);
        } catch (UnusableImageException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Decoders answer broken data with whatever the first wrong number leads to.
            throw new UnusableImageException("the picture cannot be decoded");
        }
    }

    private BufferedImage decode(Path file, ImageHeader header) throws IOException {
        Iterator<ImageReader> readers =
                ImageIO.getImageReadersByMIMEType(header.format().mediaType());
        if (!readers.hasNext()) {
            throw new UnusableImageException("pictures of this format are not read here");
        }
        ImageReader reader = readers.next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in, false, header.format() != ImageFormat.GIF);
            if ((long) reader.getWidth(0) * reader.getHeight(0) > (long) header.width() * header.height()) {
                throw new UnusableImageException("the picture has two sizes");
            }
            ImageReadParam param = reader.getDefaultReadParam();
            long pixels = (long) header.width() * header.height();
            int step = (int) Math.ceil(Math.sqrt((double) pixels / mostDecoded));
            if (step > 1) {
                param.setSourceSubsampling(step, step, 0, 0);
            }
            BufferedImage picture = plain(reader.read(0, param));
            return header.format() == ImageFormat.GIF ? onCanvas(picture, header, reader) : picture;
        } finally {
            reader.dispose();
        }
    }

    /** The first frame of an animation may be smaller than the picture. */
    private static BufferedImage onCanvas(BufferedImage frame, ImageHeader header, ImageReader reader)
            throws IOException {
        if (frame.getWidth() >= header.width() && frame.getHeight() >= header.height()) {
            return frame;
        }
        IIOMetadataNode tree = (IIOMetadataNode) reader.getImageMetadata(0).getAsTree("javax_imageio_gif_image_1.0");
        Element place = (Element) tree.getElementsByTagName("ImageDescriptor").item(0);
        BufferedImage canvas = new BufferedImage(header.width(), header.height(), BufferedImage.TYPE_INT_ARGB);
        draw(
                frame,
                canvas,
                AffineTransform.getTranslateInstance(
                        Integer.parseInt(place.getAttribute("imageLeftPosition")),
                        Integer.parseInt(place.getAttribute("imageTopPosition"))));
        return canvas;
    }

    /** Brings palettes, 16-bit samples and other kinds of pixels to one of two usual ones. */
    private static BufferedImage plain(BufferedImage picture) {
        boolean alpha = picture.getColorModel().hasAlpha();
        int type = alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
        if (picture.getType() == type || picture.getType() == BufferedImage.TYPE_3BYTE_BGR) {
            return picture;
        }
        BufferedImage plain = new BufferedImage(picture.getWidth(), picture.getHeight(), type);
        draw(picture, plain, new AffineTransform());
        return plain;
    }

    private static BufferedImage upright(BufferedImage picture, int orientation) {
        double width = picture.getWidth();
        double height = picture.getHeight();
        // Rule: Exif 2.32, tag 0x0112. Each row of numbers maps the stored corner to where it is seen.
        AffineTransform transform = switch (orientation) {
            case 2 -> new AffineTransform(-1, 0, 0, 1, width, 0);
            case 3 -> new AffineTransform(-1, 0, 0, -1, width, height);
            case 4 -> new AffineTransform(1, 0, 0, -1, 0, height);
            case 5 -> new AffineTransform(0, 1, 1, 0, 0, 0);
            case 6 -> new AffineTransform(0, 1, -1, 0, height, 0);
            case 7 -> new AffineTransform(0, -1, -1, 0, height, width);
            case 8 -> new AffineTransform(0, -1, 1, 0, 0, width);
            default -> new AffineTransform();
        };
        if (transform.isIdentity()) {
            return picture;
        }
        boolean turned = orientation >= 5;
        return transformed(picture, transform, turned ? height : width, turned ? width : height);
    }

    private static BufferedImage flip(BufferedImage picture, Modifier.Flip flip) {
        if (!flip.horizontal() && !flip.vertical()) {
            return picture;
        }
        double width = picture.getWidth();
        double height = picture.getHeight();
        AffineTransform transform = new AffineTransform(
                flip.horizontal() ? -1 : 1,
                0,
                0,
                flip.vertical() ? -1 : 1,
                flip.horizontal() ? width : 0,
                flip.vertical() ? height : 0);
        return transformed(picture, transform, width, height);
    }

    private BufferedImage rotate(BufferedImage picture, double degrees) throws UnusableImageException {
        double angle = ((degrees % 360) + 360) % 360;
        double width = picture.getWidth();
        double height = picture.getHeight();
        if (angle % 90 == 0) {
            return switch ((int) angle / 90) {
                case 1 -> upright(picture, 6);
                case 2 -> upright(picture, 3);
                case 3 -> upright(picture, 8);
                default -> picture;
            };
        }
        double radians = Math.toRadians(angle);
        double sin = Math.abs(Math.sin(radians));
        double cos = Math.abs(Math.cos(radians));
        double newWidth = Math.ceil(width * cos + height * sin);
        double newHeight = Math.ceil(height * cos + width * sin);
        // Each turn adds corners: twenty of them make a picture of a million times its pixels.
        limits.check((long) newWidth, (long) newHeight);
        if (newWidth * newHeight > mostEdited) {
            throw new UnusableImageException("a step would make a picture of more than " + mostEdited + " pixels");
        }
        AffineTransform transform = AffineTransform.getTranslateInstance(newWidth / 2, newHeight / 2);
        transform.rotate(radians);
        transform.translate(-width / 2, -height / 2);
        // The corners that appear are see-through where the format knows that.
        BufferedImage canvas = new BufferedImage((int) newWidth, (int) newHeight, BufferedImage.TYPE_INT_ARGB);
        draw(picture, canvas, transform);
        return canvas;
    }

    private static BufferedImage crop(BufferedImage picture, Modifier.Crop crop) throws UnusableImageException {
        Rectangle whole = new Rectangle(picture.getWidth(), picture.getHeight());
        int width = pixels(whole.width, crop.width());
        int height = pixels(whole.height, crop.height());
        if (width == whole.width && height == whole.height) {
            // All of it is wished, wherever that begins.
            return picture;
        }
        int x = pixels(whole.width, crop.left());
        int y = pixels(whole.height, crop.top());
        // Before there is a rectangle, as one with an open end would reach anywhere.
        if (width < 1 || height < 1) {
            throw new UnusableImageException("the part to cut out is empty");
        }
        Rectangle part = whole.intersection(new Rectangle(x, y, width, height));
        if (part.isEmpty()) {
            throw new UnusableImageException("the part to cut out lies outside the picture");
        }
        return picture.getSubimage(part.x, part.y, part.width, part.height);
    }

    private static int pixels(int side, double hundredths) {
        long all = Math.round(side * hundredths / 100);
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, all));
    }

    private static BufferedImage transformed(
            BufferedImage picture, AffineTransform transform, double width, double height) {
        int type = picture.getColorModel().hasAlpha() ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
        BufferedImage result = new BufferedImage((int) width, (int) height, type);
        draw(picture, result, transform);
        return result;
    }

    private static void draw(BufferedImage from, BufferedImage to, AffineTransform transform) {
        Graphics2D graphics = to.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(from, transform, null);
        graphics.dispose();
    }

    /** JPEG knows no transparency: what is see-through becomes white, as on a page. */
    private static BufferedImage opaque(BufferedImage picture) {
        if (picture.getType() == BufferedImage.TYPE_3BYTE_BGR || picture.getType() == BufferedImage.TYPE_INT_RGB) {
            return picture;
        }
        BufferedImage opaque = new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = opaque.createGraphics();
        graphics.drawImage(picture, 0, 0, Color.WHITE, null);
        graphics.dispose();
        return opaque;
    }

    private static void writeJpeg(BufferedImage picture, OutputStream out) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (ImageOutputStream target = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(target);
            ImageWriteParam param = writer.getDefaultWriteParam();
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionQuality(JPEG_QUALITY);
            writer.write(null, new IIOImage(picture, null, null), param);
        } finally {
            writer.dispose();
        }
    }

    private static void writePlain(BufferedImage picture, String format, OutputStream out) throws IOException {
        if (!ImageIO.write(picture, format, out)) {
            throw new IOException("no writer for " + format);
        }
    }
}
