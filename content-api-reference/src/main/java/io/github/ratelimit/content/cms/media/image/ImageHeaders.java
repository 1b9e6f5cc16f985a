package io.github.ratelimit.content.cms.media.image;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Walks the structure of a picture and refuses what must not be decoded.
 *
 * <p>Reads every file once, front to back, through one small buffer; nothing is inflated. Immutable; safe for concurrent
 * use. Beside the limits it refuses pictures whose packed data cannot fill, or would enormously overfill, the size they
 * claim, and files that carry another kind of file behind their end.
 */
public final class ImageHeaders {

    /** Chosen: more scans than any camera or tool writes; each one costs a pass over all pixels. */
    private static final int MOST_SCANS = 100;

    /** Chosen: a progressive picture of 16 megapixels has about ten scans; each pass over the pixels costs time. */
    private static final long MOST_SCANNED = 600_000_000L;

    /** The most that deflate can pack into one byte, with room for the structure around it. */
    private static final long DEFLATE_RATIO = 1040;

    /** Chosen: plain areas pack up to the ratio above; a large picture of nothing else is a bomb. */
    private static final long LARGE = 16_000_000L;

    private static final long LARGE_RATIO = 400;

    /** What must not stand behind the end of a picture: archives, programs and pages, which other readers look for. */
    private static final List<String> STOWAWAYS = List.of(
            "pk\u0003\u0004",
            "pk\u0005\u0006",
            "rar!\u001a",
            "7z\u00bc\u00af",
            "%pdf-",
            "\u007felf",
            "<?php",
            "<?xml",
            "<script",
            "<html",
            "<svg",
            "<body",
            "<!doctype",
            "mz\u0090\u0000");

    private final ImageLimits limits;

    /**
     * Creates a reader.
     *
     * @param limits what a picture may ask for
     */
    public ImageHeaders(ImageLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads a picture's structure.
     *
     * @param file the whole file
     * @param format what its first bytes are
     * @return its size and frames, within the limits
     * @throws UnusableImageException if it must not be decoded
     * @throws IOException if the file cannot be read
     */
    public ImageHeader read(Path file, ImageFormat format) throws IOException {
        try (ByteReader in = new ByteReader(file)) {
            return switch (format) {
                case JPEG -> jpeg(in);
                case PNG -> png(in);
                case GIF -> gif(in);
                case WEBP -> webp(in);
            };
        } catch (EOFException e) {
            throw new UnusableImageException("the picture is cut off");
        }
    }

    private ImageHeader jpeg(ByteReader in) throws IOException {
        in.skip(2);
        ImageHeader header = null;
        int scans = 0;
        int marker = marker(in);
        while (marker != 0xd9) {
            if (marker == 0xd8 || marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
                throw new UnusableImageException("the picture has a marker out of place");
            }
            int length = in.u16() - 2;
            if (length < 0) {
                throw new UnusableImageException("the picture has a segment without a length");
            }
            if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
                header = frame(in, length, header != null);
                marker = marker(in);
            } else if (marker == 0xda) {
                in.skip(length);
                scans++;
                if (header == null
                        || scans > MOST_SCANS
                        || (long) header.width() * header.height() * scans > MOST_SCANNED) {
                    throw new UnusableImageException("the picture has too many passes for its size");
                }
                marker = copyScan(in, OutputStream.nullOutputStream());
            } else {
                in.skip(length);
                marker = marker(in);
            }
        }
        if (header == null || scans == 0) {
            throw new UnusableImageException("the picture has no pixels");
        }
        checkTrailer(in);
        return header;
    }

    private ImageHeader frame(ByteReader in, int length, boolean second) throws IOException {
        if (second || length < 6) {
            throw new UnusableImageException("the picture has a frame out of place");
        }
        int precision = in.u8();
        int height = in.u16();
        int width = in.u16();
        int components = in.u8();
        in.skip(length - 6L);
        if (precision != 8 || (components != 1 && components != 3 && components != 4)) {
            throw new UnusableImageException("the picture has colours of a kind that is not read here");
        }
        limits.check(width, height);
        return new ImageHeader(ImageFormat.JPEG, width, height, 1);
    }

    /**
     * Copies entropy-coded bytes, and returns the marker behind them. A file that ends here is taken: cameras write such.
     */
    static int copyScan(ByteReader in, OutputStream out) throws IOException {
        while (true) {
            int next = in.read();
            if (next < 0) {
                return 0xd9;
            }
            if (next != 0xff) {
                out.write(next);
                continue;
            }
            int code = in.read();
            while (code == 0xff) {
                code = in.read();
            }
            if (code < 0) {
                return 0xd9;
            }
            if (code != 0 && (code < 0xd0 || code > 0xd7)) {
                return code;
            }
            out.write(0xff);
            out.write(code);
        }
    }

    private static int marker(ByteReader in) throws IOException {
        if (in.u8() != 0xff) {
            throw new UnusableImageException("the picture has bytes where a marker belongs");
        }
        int code = in.u8();
        while (code == 0xff) {
            code = in.u8();
        }
        return code;
    }

    private ImageHeader png(ByteReader in) throws IOException {
        in.skip(8);
        if (in.u32() != 13 || !in.text(4).equals("IHDR")) {
            throw new UnusableImageException("the picture does not begin with its header");
        }
        long width = in.u32();
        long height = in.u32();
        int depth = in.u8();
        int samples = switch (in.u8()) {
            case 0, 3 -> 1;
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> throw new UnusableImageException("the picture has colours of an unknown kind");
        };
        if (depth < 1 || depth > 16 || Integer.bitCount(depth) != 1) {
            throw new UnusableImageException("the picture has an unknown bit depth");
        }
        limits.check(width, height);
        in.skip(3 + 4);
        long packed = 0;
        int frames = 1;
        String type = "";
        while (!type.equals("IEND")) {
            long length = in.u32();
            type = in.text(4);
            if (length > Integer.MAX_VALUE) {
                throw new UnusableImageException("the picture has a chunk without a sensible length");
            }
            if (type.equals("IDAT")) {
                packed += length;
            } else if (type.equals("fcTL")) {
                frames++;
                limits.checkFrames(frames);
            }
            in.skip(length + 4);
        }
        long unpacked = height * (1 + (width * samples * depth + 7) / 8);
        checkRatio(unpacked, packed);
        checkTrailer(in);
        return new ImageHeader(ImageFormat.PNG, (int) width, (int) height, frames);
    }

    private static void checkRatio(long unpacked, long packed) throws UnusableImageException {
        if (packed == 0 || unpacked / packed > DEFLATE_RATIO) {
            throw new UnusableImageException("the picture holds less than its size claims");
        }
        if (unpacked > LARGE && unpacked / packed > LARGE_RATIO) {
            throw new UnusableImageException("the picture unpacks to far more than it holds");
        }
    }

    private ImageHeader gif(ByteReader in) throws IOException {
        in.skip(6);
        int width = in.u16LittleEndian();
        int height = in.u16LittleEndian();
        limits.check(width, height);
        int flags = in.u8();
        in.skip(2);
        skipColours(in, flags);
        int frames = 0;
        int block = in.read();
        // A file that ends between two blocks is taken: tools write such.
        while (block >= 0 && block != 0x3b) {
            if (block == 0x2c) {
                frames++;
                limits.checkFrames(frames);
                int left = in.u16LittleEndian();
                int top = in.u16LittleEndian();
                int frameWidth = in.u16LittleEndian();
                int frameHeight = in.u16LittleEndian();
                limits.check((long) left + frameWidth, (long) top + frameHeight);
                limits.check(frameWidth, frameHeight);
                skipColours(in, in.u8());
                in.u8();
                checkLzw((long) frameWidth * frameHeight, skipBlocks(in));
            } else if (block == 0x21) {
                in.u8();
                skipBlocks(in);
            } else {
                throw new UnusableImageException("the picture has an unknown block");
            }
            block = in.read();
        }
        if (frames == 0) {
            throw new UnusableImageException("the picture has no frame");
        }
        checkTrailer(in);
        return new ImageHeader(ImageFormat.GIF, width, height, frames);
    }

    /** One code of at most 12 bits stands for at most 4097 pixels. */
    private static void checkLzw(long pixels, long packed) throws UnusableImageException {
        if (packed * 8 * 4097 / 3 < pixels) {
            throw new UnusableImageException("the picture holds less than its size claims");
        }
        if (pixels > LARGE && pixels / packed > LARGE_RATIO) {
            throw new UnusableImageException("the picture unpacks to far more than it holds");
        }
    }

    private static void skipColours(ByteReader in, int flags) throws IOException {
        if ((flags & 0x80) != 0) {
            in.skip(3L << ((flags & 7) + 1));
        }
    }

    private static long skipBlocks(ByteReader in) throws IOException {
        long total = 0;
        int length = in.u8();
        while (length > 0) {
            in.skip(length);
            total += length;
            length = in.u8();
        }
        return total;
    }

    private ImageHeader webp(ByteReader in) throws IOException {
        in.skip(4);
        long end = in.u32LittleEndian() + 8;
        in.skip(4);
        long width = 0;
        long height = 0;
        int frames = 0;
        while (in.position() + 8 <= end) {
            String type = in.text(4);
            long length = in.u32LittleEndian();
            long next = in.position() + length + (length & 1);
            boolean first = width == 0;
            switch (type) {
                case "VP8X" -> {
                    in.skip(4);
                    width = in.u24LittleEndian() + 1L;
                    height = in.u24LittleEndian() + 1L;
                }
                case "VP8 " -> {
                    in.skip(6);
                    long frameWidth = in.u16LittleEndian() & 0x3fff;
                    long frameHeight = in.u16LittleEndian() & 0x3fff;
                    limits.check(frameWidth, frameHeight);
                    width = first ? frameWidth : width;
                    height = first ? frameHeight : height;
                    frames++;
                }
                case "VP8L" -> {
                    in.skip(1);
                    long bits = in.u32LittleEndian();
                    long frameWidth = (bits & 0x3fff) + 1;
                    long frameHeight = (bits >> 14 & 0x3fff) + 1;
                    limits.check(frameWidth, frameHeight);
                    width = first ? frameWidth : width;
                    height = first ? frameHeight : height;
                    frames++;
                }
                case "ANMF" -> {
                    in.skip(6);
                    limits.check(in.u24LittleEndian() + 1L, in.u24LittleEndian() + 1L);
                    frames++;
                }
                default -> {
                    // Colour profiles, metadata, and what later versions of the format add.
                }
            }
            limits.checkFrames(frames);
            if (next < in.position()) {
                throw new UnusableImageException("the picture has a chunk that is too short");
            }
            in.skip(next - in.position());
        }
        limits.check(width, height);
        if (frames == 0) {
            throw new UnusableImageException("the picture has no frame");
        }
        checkTrailer(in);
        return new ImageHeader(ImageFormat.WEBP, (int) width, (int) height, frames);
    }

    /**
     * Refuses another file behind the picture. Other bytes are let be: cameras leave padding, previews and notes there.
     */
    private static void checkTrailer(ByteReader in) throws IOException {
        var window = new StringBuilder();
        int next = in.read();
        while (next >= 0) {
            window.append((char) next);
            if (window.length() == 4096) {
                checkWindow(window.toString());
                // What spans two windows stands in the next one as a whole.
                window.delete(0, window.length() - 16);
            }
            next = in.read();
        }
        checkWindow(window.toString());
    }

    private static void checkWindow(String bytes) throws UnusableImageException {
        String lower = bytes.toLowerCase(Locale.ROOT);
        for (String stowaway : STOWAWAYS) {
            if (lower.contains(stowaway)) {
                throw new UnusableImageException("there is another file behind the picture");
            }
        }
    }
}
