package io.github.ratelimit.content.cms.media.image;

import com.luciad.imageio.webp.CompressionType;
import com.luciad.imageio.webp.WebPImageReaderSpi;
import com.luciad.imageio.webp.WebPImageWriterSpi;
import com.luciad.imageio.webp.WebPWriteParam;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageWriteParam;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageWriterSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lossy WebP by native code, which its library unpacks into a temporary folder. It is given decoded pictures only: files of
 * strangers are read by Java code. Safe for concurrent use.
 */
final class WebpEncoder {

    private static final Logger log = LoggerFactory.getLogger(WebpEncoder.class);

    /** Chosen: the quality that other servers of this interface use. */
    private static final float QUALITY = 0.86f;

    /** Rule: RFC 6386 §9.1, which has 14 bits for each. */
    private static final int LONGEST_SIDE = (1 << 14) - 1;

    private final ImageWriterSpi writers = new WebPImageWriterSpi();
    private final ImageWriteParam param;

    private WebpEncoder(ImageWriteParam param) {
        this.param = param;
    }

    /**
     * Loads the native code, and removes the native reader that its library registers.
     *
     * @return empty if it does not run here, which is logged
     */
    static Optional<WebpEncoder> load() {
        IIORegistry registry = IIORegistry.getDefaultInstance();
        var reader = registry.getServiceProviderByClass(WebPImageReaderSpi.class);
        if (reader != null) {
            registry.deregisterServiceProvider(reader);
        }
        try {
            // One for all pictures: the library never frees these settings.
            WebPWriteParam param = new WebPWriteParam(Locale.ROOT);
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionType(CompressionType.Lossy);
            param.setCompressionQuality(QUALITY);
            return Optional.of(new WebpEncoder(param));
        } catch (LinkageError e) {
            log.warn(
                    "WebP pictures get no smaller sizes and cannot be edited: the native encoder needs Windows, macOS or Linux"
                            + " with glibc 2.27, and an executable folder: -Dcom.luciad.imageio.webp.tmpdir=/var/lib/native");
            return Optional.empty();
        }
    }

    /**
     * Writes a picture.
     *
     * @param out stays open
     * @throws UnusableImageException if it is larger than WebP allows
     */
    void write(BufferedImage picture, OutputStream out) throws IOException {
        if (picture.getWidth() > LONGEST_SIDE || picture.getHeight() > LONGEST_SIDE) {
            throw new UnusableImageException("a WebP picture is at most " + LONGEST_SIDE + " pixels wide and high");
        }
        Pictures.write(picture, writers.createWriterInstance(), param, out);
    }
}
