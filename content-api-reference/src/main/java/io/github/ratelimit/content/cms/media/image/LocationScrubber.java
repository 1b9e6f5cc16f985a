package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Takes out of a picture where it was taken, and leaves every pixel as it was.
 *
 * <p>A picture that says nothing about a place stays as it is, byte for byte. Stateless; safe for concurrent use.
 */
final class LocationScrubber {

    private static final Set<String> PNG_NOTES = Set.of("eXIf", "tEXt", "zTXt", "iTXt");
    private static final byte[] EXIF = "Exif\0\0".getBytes(ISO_8859_1);
    private static final int GPS_POINTER = 0x8825;

    private LocationScrubber() {}

    /**
     * Tells whether a picture may say where it was taken.
     *
     * @param file the picture, already checked
     * @param meta what was read from it
     */
    static boolean isNeeded(Path file, ImageFormat format, PictureMeta meta) throws IOException {
        if (meta.hasLocation()) {
            return true;
        }
        try (ByteReader in = new ByteReader(file)) {
            return switch (format) {
                case JPEG -> jpegNotes(in);
                case PNG -> pngNotes(in);
                case WEBP -> webpNotes(in);
                case GIF -> false;
            };
        }
    }

    /**
     * Copies a picture without its notes; what must be known to show it (its colours, its orientation) stays.
     *
     * @param orientation 0 to 8, kept where there is one
     */
    static void copy(Path from, Path to, ImageFormat format, int orientation) throws IOException {
        try (ByteReader in = new ByteReader(from);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(to))) {
            switch (format) {
                case JPEG -> copyJpeg(in, out, orientation);
                case PNG -> copyPng(in, out);
                case WEBP -> copyWebp(in, out, Files.size(from));
                case GIF -> Files.copy(from, out);
            }
        }
    }

    private static boolean jpegNotes(ByteReader in) throws IOException {
        in.skip(2);
        while (true) {
            int marker = nextMarker(in);
            if (marker == 0xda || marker == 0xd9) {
                return false;
            }
            byte[] segment = in.bytes(Math.max(0, in.u16() - 2));
            if (marker == 0xe1 && tellsPlace(segment)) {
                return true;
            }
        }
    }

    private static int nextMarker(ByteReader in) throws IOException {
        int code = in.u8();
        while (code == 0xff) {
            code = in.u8();
        }
        return code;
    }

    private static boolean pngNotes(ByteReader in) throws IOException {
        in.skip(8);
        String type = "";
        while (!type.equals("IEND")) {
            long length = in.u32();
            type = in.text(4);
            // Packed text cannot be looked into without unpacking it, so it counts.
            boolean note = PNG_NOTES.contains(type);
            if (note && (type.equals("zTXt") || length > 1 << 20 || tellsPlace(in.bytes((int) length)))) {
                return true;
            }
            in.skip(note ? 4 : length + 4);
        }
        return false;
    }

    private static boolean webpNotes(ByteReader in) throws IOException {
        in.skip(4);
        long end = in.u32LittleEndian() + 8;
        in.skip(4);
        while (in.position() + 8 <= end) {
            String type = in.text(4);
            long length = in.u32LittleEndian();
            long padded = length + (length & 1);
            if (type.equals("EXIF") || type.equals("XMP ")) {
                if (length > 1 << 20 || tellsPlace(in.bytes((int) length))) {
                    return true;
                }
                in.skip(padded - length);
            } else {
                in.skip(padded);
            }
        }
        return false;
    }

    /** A GPS pointer in Exif, or any of the words that notes in XML use for a place. */
    private static boolean tellsPlace(byte[] note) {
        String text = new String(note, ISO_8859_1);
        if (text.contains("GPS")
                || text.contains("photoshop:City")
                || text.contains("Iptc4xmpCore:Location")
                || text.contains("LocationCreated")) {
            return true;
        }
        int tiff = note.length > EXIF.length && text.startsWith("Exif\0\0") ? EXIF.length : 0;
        return (text.startsWith("II", tiff) || text.startsWith("MM", tiff)) && hasGpsPointer(note, tiff);
    }

    private static boolean hasGpsPointer(byte[] note, int tiff) {
        if (note.length < tiff + 10) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.wrap(note, tiff, note.length - tiff).slice();
        bytes.order(bytes.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        long at = Integer.toUnsignedLong(bytes.getInt(4));
        if (at + 2 > bytes.limit()) {
            return false;
        }
        int entries = Short.toUnsignedInt(bytes.getShort((int) at));
        for (int i = 0; i < entries && at + 2 + 12L * (i + 1) <= bytes.limit(); i++) {
            if (Short.toUnsignedInt(bytes.getShort((int) at + 2 + 12 * i)) == GPS_POINTER) {
                return true;
            }
        }
        return false;
    }

    private static void copyJpeg(ByteReader in, OutputStream out, int orientation) throws IOException {
        in.skip(2);
        out.write(new byte[] {(byte) 0xff, (byte) 0xd8});
        if (orientation > 1) {
            out.write(orientationOnly(orientation));
        }
        int marker = nextMarker(in);
        while (marker != 0xd9) {
            int length = in.u16();
            byte[] segment = in.bytes(Math.max(0, length - 2));
            // APP1 holds Exif and XMP, APP13 what the press writes.
            if (marker != 0xe1 && marker != 0xed) {
                out.write(new byte[] {(byte) 0xff, (byte) marker, (byte) (length >> 8), (byte) length});
                out.write(segment);
            }
            marker = marker == 0xda ? ImageHeaders.copyScan(in, out) : nextMarker(in);
        }
        // What stands behind the end, often a second picture with notes of its own, is not copied.
        out.write(new byte[] {(byte) 0xff, (byte) 0xd9});
    }

    /** An Exif segment that says how to turn the picture, and nothing else. */
    private static byte[] orientationOnly(int orientation) {
        ByteBuffer segment = ByteBuffer.allocate(2 + 2 + EXIF.length + 8 + 2 + 12 + 4);
        segment.put((byte) 0xff)
                .put((byte) 0xe1)
                .putShort((short) (segment.capacity() - 2))
                .put(EXIF);
        segment.put((byte) 'M').put((byte) 'M').putShort((short) 42).putInt(8).putShort((short) 1);
        segment.putShort((short) 0x0112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation)
                .putShort((short) 0);
        return segment.putInt(0).array();
    }

    private static void copyPng(ByteReader in, OutputStream out) throws IOException {
        out.write(in.bytes(8));
        String type = "";
        while (!type.equals("IEND")) {
            long length = in.u32();
            type = in.text(4);
            if (PNG_NOTES.contains(type)) {
                in.skip(length + 4);
            } else {
                out.write(ByteBuffer.allocate(4).putInt((int) length).array());
                out.write(type.getBytes(ISO_8859_1));
                copy(in, out, length + 4);
            }
        }
    }

    private static void copyWebp(ByteReader in, OutputStream out, long size) throws IOException {
        // The container's length stands first, so what is kept is gathered before it is written; uploads are bounded.
        var kept = new ByteArrayOutputStream((int) size);
        in.skip(4);
        long end = in.u32LittleEndian() + 8;
        in.skip(4);
        while (in.position() + 8 <= end) {
            String type = in.text(4);
            long length = in.u32LittleEndian();
            byte[] body = in.bytes((int) (length + (length & 1)));
            if (type.equals("EXIF") || type.equals("XMP ")) {
                continue;
            }
            if (type.equals("VP8X")) {
                // The flags announce the two chunks that are gone.
                body[0] &= ~(0x08 | 0x04);
            }
            kept.writeBytes(type.getBytes(ISO_8859_1));
            kept.writeBytes(littleEndian((int) length));
            kept.writeBytes(body);
        }
        out.write("RIFF".getBytes(ISO_8859_1));
        out.write(littleEndian(kept.size() + 4));
        out.write("WEBP".getBytes(ISO_8859_1));
        kept.writeTo(out);
    }

    private static byte[] littleEndian(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    private static void copy(ByteReader in, OutputStream out, long count) throws IOException {
        for (long i = 0; i < count; i++) {
            out.write(in.u8());
        }
    }
}
