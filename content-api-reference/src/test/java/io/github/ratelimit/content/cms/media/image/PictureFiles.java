package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import javax.imageio.ImageIO;

/** Pictures made by hand: good ones, bombs, and files that are two things at once. */
public final class PictureFiles {

    private PictureFiles() {}

    /** A picture whose four quarters are red, green, blue and white. */
    public static BufferedImage quarters(int width, int height) {
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        Color[] colours = {Color.RED, Color.GREEN, Color.BLUE, Color.WHITE};
        for (int i = 0; i < 4; i++) {
            graphics.setColor(colours[i]);
            graphics.fillRect(i % 2 * width / 2, i / 2 * height / 2, (width + 1) / 2, (height + 1) / 2);
        }
        graphics.dispose();
        return picture;
    }

    public static byte[] encoded(BufferedImage picture, String format) {
        var out = new ByteArrayOutputStream();
        try {
            ImageIO.write(picture, format, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** A JPEG file whose Exif says how it is to be turned and where it was taken. */
    public static byte[] jpegWithExif(int width, int height, int orientation) {
        ByteBuffer exif = ByteBuffer.allocate(256);
        exif.put("Exif\0\0MM".getBytes(ISO_8859_1)).putShort((short) 42).putInt(8);
        exif.putShort((short) 3);
        exif.putShort((short) 0x0110).putShort((short) 2).putInt(4).put("Cam\0".getBytes(ISO_8859_1));
        exif.putShort((short) 0x0112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .putShort((short) 0);
        exif.putShort((short) 0x8825).putShort((short) 4).putInt(1).putInt(50);
        exif.putInt(0);
        exif.putShort((short) 1);
        exif.putShort((short) 0x0001).putShort((short) 2).putInt(2).put("N\0\0\0".getBytes(ISO_8859_1));
        exif.putInt(0);
        byte[] segment = new byte[exif.position()];
        exif.flip().get(segment);
        return withSegment(0xe1, segment, quarters(width, height));
    }

    /** A JPEG file whose Exif has texts, in letters of Western Europe, by their tags. */
    public static byte[] jpegWithTexts(Map<Integer, String> texts) {
        ByteBuffer exif = ByteBuffer.allocate(2000);
        exif.put("Exif\0\0MM".getBytes(ISO_8859_1)).putShort((short) 42).putInt(8);
        exif.putShort((short) texts.size());
        int data = 14 + texts.size() * 12;
        var behind = new ByteArrayOutputStream();
        for (Map.Entry<Integer, String> text : new TreeMap<>(texts).entrySet()) {
            byte[] bytes = (text.getValue() + "\0\0\0\0").getBytes(ISO_8859_1);
            exif.putShort(text.getKey().shortValue()).putShort((short) 2);
            exif.putInt(bytes.length).putInt(data + behind.size());
            behind.writeBytes(bytes);
        }
        exif.putInt(0).put(behind.toByteArray());
        return withSegment(0xe1, java.util.Arrays.copyOf(exif.array(), exif.position()), quarters(64, 48));
    }

    /** A JPEG file with notes of the press, each a number and a text. */
    public static byte[] jpegWithPressNotes(String... notes) {
        var written = new ByteArrayOutputStream();
        written.writeBytes("Photoshop 3.0\0".concat("8BIM\4\4\0\0\0\0\0\0").getBytes(ISO_8859_1));
        for (String note : notes) {
            String[] parts = note.split(" ", 2);
            byte[] text = parts[1].getBytes(ISO_8859_1);
            written.writeBytes(new byte[] {0x1c, 2, Byte.parseByte(parts[0]), 0, (byte) text.length});
            written.writeBytes(text);
        }
        return withSegment(0xed, written.toByteArray(), quarters(64, 48));
    }

    private static byte[] withSegment(int marker, byte[] segment, BufferedImage picture) {
        int length = segment.length + 2;
        byte[] head = {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) marker, (byte) (length >> 8), (byte) length};
        byte[] plain = encoded(picture, "jpeg");
        return joined(head, segment, java.util.Arrays.copyOfRange(plain, 2, plain.length));
    }

    /** Files whose structure asks for too much, under telling names. */
    public static Map<String, byte[]> bombs() {
        byte[] jpeg = encoded(quarters(64, 48), "jpeg");
        var bombs = new LinkedHashMap<String, byte[]>();
        bombs.put("wide.png", png(20_001, 100, packed(1000)));
        bombs.put("high.png", png(100, 20_001, packed(1000)));
        bombs.put("huge.png", png(10_000, 10_000, packed(100_000)));
        bombs.put("claims-4-billion.png", png(0x7fffffff, 0x7fffffff, packed(1000)));
        bombs.put("negative.png", png(-1, -1, packed(1000)));
        bombs.put("huge.jpg", jpegSized(jpeg, 65_500, 65_500));
        bombs.put("over-pixels.jpg", jpegSized(jpeg, 8_000, 8_000));
        bombs.put("scans.jpg", jpegWithScans(jpegSized(jpeg, 5_000, 5_000), 5000));
        bombs.put("cut-off.jpg", java.util.Arrays.copyOf(jpeg, 100));
        bombs.put("script-head.gif", "GIF89a/*\0\0\0\0*/=1;alert(1)//;".getBytes(ISO_8859_1));
        bombs.put("lossless.webp", webpLossless(16_384, 16_384));
        bombs.put("canvas.webp", webpCanvas(1 << 24, 1 << 24));
        return bombs;
    }

    static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] packed(int zeros) {
        var out = new ByteArrayOutputStream();
        try (var deflater = new DeflaterOutputStream(out, new Deflater(9))) {
            byte[] block = new byte[1 << 16];
            for (int left = zeros; left > 0; left -= block.length) {
                deflater.write(block, 0, Math.min(left, block.length));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] png(int width, int height, byte[] data) {
        ByteBuffer header = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) 8)
                .put((byte) 2);
        return joined(
                new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
                chunk("IHDR", header.array()),
                chunk("IDAT", data),
                chunk("IEND", new byte[0]));
    }

    static byte[] chunk(String type, byte[] data) {
        byte[] name = type.getBytes(ISO_8859_1);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(data);
        return joined(
                ByteBuffer.allocate(4).putInt(data.length).array(),
                name,
                data,
                ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
    }

    private static byte[] jpegSized(byte[] jpeg, int width, int height) {
        byte[] sized = jpeg.clone();
        for (int i = 2; i < sized.length - 9; i++) {
            if ((sized[i] & 0xff) == 0xff && (sized[i + 1] & 0xff) == 0xc0) {
                ByteBuffer.wrap(sized).putShort(i + 5, (short) height).putShort(i + 7, (short) width);
                return sized;
            }
        }
        throw new IllegalStateException("no frame");
    }

    private static byte[] jpegWithScans(byte[] jpeg, int scans) {
        byte[] scan = {(byte) 0xff, (byte) 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3};
        byte[][] parts = new byte[scans + 2][];
        parts[0] = java.util.Arrays.copyOf(jpeg, jpeg.length - 2);
        java.util.Arrays.fill(parts, 1, scans + 1, scan);
        parts[scans + 1] = new byte[] {(byte) 0xff, (byte) 0xd9};
        return joined(parts);
    }

    private static byte[] webpLossless(int width, int height) {
        ByteBuffer body = ByteBuffer.allocate(26).order(ByteOrder.LITTLE_ENDIAN);
        body.put("RIFF".getBytes(ISO_8859_1))
                .putInt(18)
                .put("WEBPVP8L".getBytes(ISO_8859_1))
                .putInt(5);
        return body.put((byte) 0x2f)
                .putInt(width - 1 | (height - 1) << 14)
                .put((byte) 0)
                .array();
    }

    private static byte[] webpCanvas(int width, int height) {
        ByteBuffer body = ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN);
        body.put("RIFF".getBytes(ISO_8859_1))
                .putInt(22)
                .put("WEBPVP8X".getBytes(ISO_8859_1))
                .putInt(10);
        body.putInt(0);
        for (int side : new int[] {width - 1, height - 1}) {
            body.put((byte) side).put((byte) (side >> 8)).put((byte) (side >> 16));
        }
        return body.array();
    }

    /** Finds the format by the first bytes of a file. */
    static Optional<ImageFormat> formatOf(byte[] head) {
        if (startsWith(head, 0, 0xff, 0xd8, 0xff)) {
            return Optional.of(ImageFormat.JPEG);
        }
        if (startsWith(head, 0, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n')) {
            return Optional.of(ImageFormat.PNG);
        }
        if (startsWith(head, 0, 'G', 'I', 'F', '8', '7', 'a') || startsWith(head, 0, 'G', 'I', 'F', '8', '9', 'a')) {
            return Optional.of(ImageFormat.GIF);
        }
        if (startsWith(head, 0, 'R', 'I', 'F', 'F') && startsWith(head, 8, 'W', 'E', 'B', 'P')) {
            return Optional.of(ImageFormat.WEBP);
        }
        return Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, int offset, int... expected) {
        if (bytes.length < offset + expected.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if ((bytes[offset + i] & 0xff) != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
