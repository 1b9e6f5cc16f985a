package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.ratelimit.content.server.http.TimedWait;
import io.github.ratelimit.content.server.http.UnavailableException;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.resizers.configurations.ScalingMode;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Decodes, scales, edits and writes pictures.
 *
 * <p>One picture is in memory at a time, and its pixels are bounded before it is decoded. Written files carry pixels only, without metadata.
 * Safe for concurrent use.
 */
@Component
public final class Pictures {

    /** Chosen: larger than the pictures of most cameras. */
    private static final long MOST_PIXELS = 50_000_000;

    private static final int LONGEST_SIDE = 20_000;

    /** A progressive JPEG file is decoded once for each scan. Chosen: ten scans of the largest picture. */
    private static final long MOST_SCANNED = 10 * MOST_PIXELS;

    /** Larger pictures are thinned out while they are read. Chosen: the largest rendition is 2560 pixels wide. */
    private static final long MOST_DECODED = 25_000_000;

    /** In bytes: what the server holds beside pictures. */
    private static final long KEPT_HEAP = 64L << 20;

    /** In bytes: the decoded picture, its edited copy and a writer's copy take four each. */
    private static final int HEAP_FOR_A_PIXEL = 14;

    /** Chosen: smaller heaps cannot run the server at all. */
    private static final long LEAST_DECODED = 1_000_000;

    /** Chosen: longer than any picture within the bounds takes. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    /** Chosen: the quality that other servers of this interface use. */
    private static final float JPEG_QUALITY = 0.82f;

    /** Chunks that hold Exif data or compressed text, and coordinates in XMP. */
    private static final Pattern PLACE = Pattern.compile("eXIf|zTXt|EXIF|exif:GPS|GPSLatitude");

    /** The marker that begins a scan; in the compressed data itself it cannot occur. */
    private static final String SCAN = "\u00ff\u00da";

    private static final int LONGEST_MARK = 32;

    private final long mostDecoded = Math.min(
            MOST_DECODED, Math.max(LEAST_DECODED, (Runtime.getRuntime().maxMemory() - KEPT_HEAP) / HEAP_FOR_A_PIXEL));
    private final ReentrantLock turn = new ReentrantLock(true);
    private final @Nullable WebpEncoder webp;

    /** Creates the workshop. */
    public Pictures() {
        ImageIO.setUseCache(false); // the files are on disk already
        webp = WebpEncoder.load().orElse(null);
    }

    /**
     * A picture that was looked at and not decoded.
     *
     * @param format of the file
     * @param width as it is stored, in pixels
     * @param height as it is stored, in pixels
     * @param frames 1, or more in an animation
     * @param meta its notes
     * @param tellsPlace whether its metadata may tell where it was taken
     */
    public record Inspected(
            ImageFormat format, int width, int height, int frames, PictureMeta meta, boolean tellsPlace) {}

    /** Work on something that is closed afterwards. */
    @FunctionalInterface
    public interface Work<S, T> {

        /** Works with the upright picture, or with a reader of it. */
        T with(S source) throws IOException;
    }

    /**
     * Looks at a picture once, without decoding it.
     *
     * @throws UnusableImageException if it is too large, or no picture of this format
     */
    public Inspected inspect(Path file, ImageFormat format) throws IOException {
        int[] header = read(
                file, format, reader -> new int[] {reader.getWidth(0), reader.getHeight(0), frames(reader, format)});
        requireSize(header[0], header[1]);
        PictureMeta meta = PictureMeta.read(file, format);
        boolean tellsPlace = meta.hasLocation();
        long scans = 0;
        String carried = "";
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] block = in.readNBytes(1 << 16); block.length > 0; block = in.readNBytes(1 << 16)) {
                String text = carried + new String(block, ISO_8859_1);
                tellsPlace = tellsPlace || PLACE.matcher(text).find();
                scans += StringUtils.countOccurrencesOf(text.substring(Math.max(0, carried.length() - 1)), SCAN);
                carried = text.substring(Math.max(0, text.length() - LONGEST_MARK));
            }
        }
        if (format == ImageFormat.JPEG && scans * header[0] * header[1] > MOST_SCANNED) {
            throw new UnusableImageException("the picture has too many scans");
        }
        return new Inspected(format, header[0], header[1], header[2], meta, tellsPlace);
    }

    private static int frames(ImageReader reader, ImageFormat format) {
        try {
            boolean mayMove = format == ImageFormat.GIF || format == ImageFormat.WEBP;
            return mayMove ? reader.getNumImages(true) : 1;
        } catch (IOException | RuntimeException e) {
            return 1; // it is cut off behind its size
        }
    }

    private static void requireSize(long width, long height) throws UnusableImageException {
        if (width < 1 || height < 1) {
            throw new UnusableImageException("the picture has no size");
        }
        if (width > LONGEST_SIDE || height > LONGEST_SIDE) {
            throw new UnusableImageException("the picture is more than " + LONGEST_SIDE + " pixels wide or high");
        }
        if (width * height > MOST_PIXELS) {
            throw new UnusableImageException("the picture has more than " + MOST_PIXELS + " pixels");
        }
    }

    /**
     * Decodes a picture for as long as the work takes.
     *
     * @param picture what {@link #inspect} found in the file
     * @throws UnusableImageException if the file is no such picture
     * @throws UnavailableException if other pictures took too long
     */
    public <T> T open(Path file, Inspected picture, Work<BufferedImage, T> work) throws IOException {
        if (!TimedWait.isInTime(LONGEST_WAIT, turn::tryLock)) {
            throw UnavailableException.busy("Too many pictures are being worked on; try again.");
        }
        try {
            BufferedImage decoded = read(file, picture.format(), reader -> decode(reader, picture));
            return work.with(upright(decoded, picture.meta().orientation()));
        } finally {
            turn.unlock();
        }
    }

    private static <T> T read(Path file, ImageFormat format, Work<ImageReader, T> reading) throws IOException {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByMIMEType(format.mediaType());
        if (!readers.hasNext()) {
            throw new UnusableImageException("pictures of this format are not read here");
        }
        ImageReader reader = readers.next();
        // The reader of WebP rejects plain pictures as bombs, by the length of their file. Here pixels are bounded
        // instead.
        try (InputStream bytes = Files.newInputStream(file);
                ImageInputStream in = format == ImageFormat.WEBP
                        ? new MemoryCacheImageInputStream(bytes)
                        : ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in, false, format != ImageFormat.GIF);
            return reading.with(reader);
        } catch (UnusableImageException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Readers answer broken data with any exception.
            throw new UnusableImageException("the picture cannot be decoded");
        } finally {
            reader.dispose();
        }
    }

    private BufferedImage decode(ImageReader reader, Inspected header) throws IOException {
        long pixels = (long) header.width() * header.height();
        int step = (int) Math.ceil(Math.sqrt((double) pixels / mostDecoded));
        ImageReadParam param = reader.getDefaultReadParam();
        param.setSourceSubsampling(step, step, 0, 0);
        return plain(reader.read(0, param));
    }

    /** Brings palettes, 16-bit samples and other kinds of pixels to one of two usual ones. */
    private static BufferedImage plain(BufferedImage picture) {
        int type = picture.getColorModel().hasAlpha() ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
        if (picture.getType() == type || picture.getType() == BufferedImage.TYPE_3BYTE_BGR) {
            return picture;
        }
        return transformed(picture, new AffineTransform(), picture.getWidth(), picture.getHeight());
    }

    /** Cuts and scales a picture. */
    public static BufferedImage scale(BufferedImage picture, SubSizes.Scaling to) throws IOException {
        return Thumbnails.of(picture)
                .sourceRegion(to.x(), to.y(), to.sourceWidth(), to.sourceHeight())
                .forceSize(to.width(), to.height())
                .scalingMode(ScalingMode.PROGRESSIVE_BILINEAR)
                .asBufferedImage();
    }

    /** Scales a picture so that no side is longer than the largest shown picture. */
    public static BufferedImage toLargestShown(BufferedImage picture) throws IOException {
        var smaller = SubSizes.shown(picture.getWidth(), picture.getHeight());
        return smaller.isPresent() ? scale(picture, smaller.get()) : picture;
    }

    /**
     * Applies the steps of an edit in order.
     *
     * @throws UnusableImageException if a crop lies outside the picture, or a step would make too large a picture
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
        boolean isTurned = orientation >= 5;
        return transform.isIdentity()
                ? picture
                : transformed(picture, transform, isTurned ? height : width, isTurned ? width : height);
    }

    private static BufferedImage flip(BufferedImage picture, Modifier.Flip flip) {
        BufferedImage flipped = flip.horizontal() ? upright(picture, 2) : picture;
        return flip.vertical() ? upright(flipped, 4) : flipped;
    }

    private BufferedImage rotate(BufferedImage picture, double degrees) throws UnusableImageException {
        double angle = ((degrees % 360) + 360) % 360;
        if (angle % 90 == 0) {
            int[] orientations = {1, 6, 3, 8};
            return upright(picture, orientations[(int) angle / 90]);
        }
        double width = picture.getWidth();
        double height = picture.getHeight();
        double radians = Math.toRadians(angle);
        double sin = Math.abs(Math.sin(radians));
        double cos = Math.abs(Math.cos(radians));
        double newWidth = Math.ceil(width * cos + height * sin);
        double newHeight = Math.ceil(height * cos + width * sin);
        // Each turn adds corners: twenty of them make a picture of a million times its pixels.
        requireSize((long) newWidth, (long) newHeight);
        if (newWidth * newHeight > mostDecoded) {
            throw new UnusableImageException("a step would make a picture of more than " + mostDecoded + " pixels");
        }
        AffineTransform transform = AffineTransform.getTranslateInstance(newWidth / 2, newHeight / 2);
        transform.rotate(radians);
        transform.translate(-width / 2, -height / 2);
        // The new corners are transparent where the format can say so.
        BufferedImage canvas = new BufferedImage((int) newWidth, (int) newHeight, BufferedImage.TYPE_INT_ARGB);
        draw(picture, canvas, transform);
        return canvas;
    }

    private static BufferedImage crop(BufferedImage picture, Modifier.Crop crop) throws UnusableImageException {
        Rectangle whole = new Rectangle(picture.getWidth(), picture.getHeight());
        int width = pixels(whole.width, crop.width());
        int height = pixels(whole.height, crop.height());
        if (width == whole.width && height == whole.height) {
            return picture; // wherever the part begins
        }
        // Checked before there is a rectangle: one of negative size would reach anywhere.
        if (width < 1 || height < 1) {
            throw new UnusableImageException("the part to cut out is empty");
        }
        Rectangle part = whole.intersection(
                new Rectangle(pixels(whole.width, crop.left()), pixels(whole.height, crop.top()), width, height));
        if (part.isEmpty()) {
            throw new UnusableImageException("the part to cut out lies outside the picture");
        }
        return transformed(picture, AffineTransform.getTranslateInstance(-part.x, -part.y), part.width, part.height);
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

    /**
     * Tells whether pictures of a format are written here.
     *
     * @return true, but for WebP where its native code does not run
     */
    public boolean writes(ImageFormat format) {
        return format != ImageFormat.WEBP || webp != null;
    }

    /**
     * Writes a picture.
     *
     * @param to is replaced if it is there
     * @throws UnusableImageException if the format is not written here, or holds no picture of this size
     */
    public void write(BufferedImage picture, ImageFormat format, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            switch (format) {
                case JPEG -> writeJpeg(opaque(picture), out);
                case PNG -> ImageIO.write(picture, "png", out);
                case GIF -> ImageIO.write(picture, "gif", out);
                case WEBP -> {
                    if (webp == null) {
                        throw new UnusableImageException("WebP is not written here");
                    }
                    webp.write(picture, out);
                }
            }
        }
    }

    /** JPEG knows no transparency: transparent pixels become white, as on a page. */
    private static BufferedImage opaque(BufferedImage picture) {
        if (!picture.getColorModel().hasAlpha()) {
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
        ImageWriteParam param = writer.getDefaultWriteParam();
        param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        param.setCompressionQuality(JPEG_QUALITY);
        write(picture, writer, param, out);
    }

    /** Writes a picture by a writer that is used once. */
    static void write(BufferedImage picture, ImageWriter writer, ImageWriteParam param, OutputStream out)
            throws IOException {
        try (ImageOutputStream target = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(target);
            writer.write(null, new IIOImage(picture, null, null), param);
        } finally {
            writer.dispose();
        }
    }
}
