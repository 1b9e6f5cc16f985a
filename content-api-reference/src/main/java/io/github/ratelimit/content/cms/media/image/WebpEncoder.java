package io.github.ratelimit.content.cms.media.image;

import com.luciad.imageio.webp.CompressionType;
import com.luciad.imageio.webp.WebPImageReaderSpi;
import com.luciad.imageio.webp.WebPImageWriterSpi;
import com.luciad.imageio.webp.WebPWriteParam;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.WritableRaster;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageWriterSpi;
import javax.imageio.stream.ImageOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes WebP with loss, by native code that its library unpacks into a temporary folder.
 *
 * <p>Only what was decoded here is given to that code: the reader that it brings too is taken away from whoever looks for
 * one. Safe for concurrent use.
 */
final class WebpEncoder {

    private static final Logger log = LoggerFactory.getLogger(WebpEncoder.class);

    /** Chosen: what other servers of this interface use; a photograph looks then as one of JPEG does with ours. */
    private static final float QUALITY = 0.86f;

    /** Rule: RFC 6386 §9.1, which has 14 bits for each. */
    private static final int LONGEST_SIDE = (1 << 14) - 1;

    /**
     * Chosen: beside the heap the native code takes 12 bytes for a pixel that may be seen through, of others 2; so this is
     * 190 MB.
     */
    private static final long MOST_SEEN_THROUGH = 16_000_000;

    private final ImageWriterSpi writers = new WebPImageWriterSpi();
    private final ImageWriteParam param;

    private WebpEncoder(ImageWriteParam param) {
        this.param = param;
    }

    /**
     * Loads the native code.
     *
     * @return empty if it does not run here; that is logged, with what helps
     */
    static Optional<WebpEncoder> load() {
        // Strangers' pictures are read by Java code alone, whoever asks for a reader.
        IIORegistry registry = IIORegistry.getDefaultInstance();
        var reader = registry.getServiceProviderByClass(WebPImageReaderSpi.class);
        if (reader != null) {
            registry.deregisterServiceProvider(reader);
        }
        try {
            // One for all pictures: the library never frees what these settings hold.
            WebPWriteParam param = new WebPWriteParam(Locale.ROOT);
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionType(CompressionType.Lossy);
            param.setCompressionQuality(QUALITY);
            return Optional.of(new WebpEncoder(param));
        } catch (LinkageError e) {
            log.warn(
                    "WebP pictures are kept without smaller ones and cannot be edited: the native code that writes them could"
                            + " not be loaded; it needs Windows, macOS or Linux with glibc 2.27, and a folder where files may be"
                            + " written and executed, such as -Dcom.luciad.imageio.webp.tmpdir=/var/lib/native");
            return Optional.empty();
        }
    }

    /**
     * Writes a picture.
     *
     * @param out stays open
     * @throws UnusableImageException if it is larger than WebP can be, or than there may be memory for
     */
    void write(BufferedImage picture, OutputStream out) throws IOException {
        int width = picture.getWidth();
        int height = picture.getHeight();
        if (width > LONGEST_SIDE || height > LONGEST_SIDE) {
            throw new UnusableImageException("a WebP picture is at most " + LONGEST_SIDE + " pixels wide and high");
        }
        if (picture.getColorModel().hasAlpha() && (long) width * height > MOST_SEEN_THROUGH) {
            throw new UnusableImageException(
                    "a WebP picture that may be seen through has at most " + MOST_SEEN_THROUGH + " pixels here");
        }
        ImageWriter writer = writers.createWriterInstance();
        try (ImageOutputStream target = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(target);
            writer.write(null, new IIOImage(whole(picture), null, null), param);
        } finally {
            writer.dispose();
        }
    }

    /** Of a part of a picture the library would write what is in the upper left corner of the whole. */
    private static BufferedImage whole(BufferedImage picture) {
        if (picture.getRaster().getParent() == null) {
            return picture;
        }
        ColorModel colours = picture.getColorModel();
        WritableRaster pixels = colours.createCompatibleWritableRaster(picture.getWidth(), picture.getHeight());
        picture.copyData(pixels);
        return new BufferedImage(colours, pixels, colours.isAlphaPremultiplied(), null);
    }
}
