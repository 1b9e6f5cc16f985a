package io.github.ratelimit.content.cms.media.image;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.IOException;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads JPEG pictures whose four components are inks, as print shops send them; the JDK's reader hands out their samples
 * but no picture. Stateless; safe for concurrent use.
 */
final class InkColours {

    private InkColours() {}

    /** Decodes a picture of four inks into red, green and blue. */
    static BufferedImage toScreen(ImageReader reader, ImageReadParam param) throws IOException {
        int transform = adobeTransform(reader);
        Raster inks = reader.readRaster(0, param);
        if (inks.getNumBands() != 4) {
            throw new UnusableImageException("the picture has colours of a kind that is not read here");
        }
        int width = inks.getWidth();
        int height = inks.getHeight();
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        int[] row = new int[width * 4];
        int[] pixels = new int[width];
        for (int y = 0; y < height; y++) {
            inks.getPixels(0, y, width, 1, row);
            for (int x = 0; x < width; x++) {
                pixels[x] = pixel(row, x * 4, transform);
            }
            picture.setRGB(0, y, width, 1, pixels, 0, width);
        }
        return picture;
    }

    /** Adobe's files hold how much paper shows, not how much ink there is; others hold ink. */
    private static int pixel(int[] row, int at, int transform) {
        double a = row[at];
        double b = row[at + 1];
        double c = row[at + 2];
        int black = row[at + 3];
        if (transform == 2) {
            double luma = a;
            double blue = b - 128;
            double red = c - 128;
            a = 255 - (luma + 1.402 * red);
            b = 255 - (luma - 0.344136 * blue - 0.714136 * red);
            c = 255 - (luma + 1.772 * blue);
        } else if (transform < 0) {
            a = 255 - a;
            b = 255 - b;
            c = 255 - c;
            black = 255 - black;
        }
        return sample(a, black) << 16 | sample(b, black) << 8 | sample(c, black);
    }

    private static int sample(double paper, int black) {
        return (int) Math.max(0, Math.min(255, Math.round(paper * black / 255)));
    }

    /** Returns 0 for plain inks, 2 for a luma and two differences, -1 where no Adobe marker says. */
    private static int adobeTransform(ImageReader reader) throws IOException {
        IIOMetadataNode tree = (IIOMetadataNode) reader.getImageMetadata(0).getAsTree("javax_imageio_jpeg_image_1.0");
        NodeList markers = tree.getElementsByTagName("app14Adobe");
        return markers.getLength() == 0 ? -1 : Integer.parseInt(((Element) markers.item(0)).getAttribute("transform"));
    }
}
