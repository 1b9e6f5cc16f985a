package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Writes lossless WebP, so that sub-sizes of a WebP picture are WebP too.
 *
 * <p>Green is taken from red and blue, each pixel is told as its difference from what its neighbours predict, and the
 * differences are prefix-coded; there are no back references. Stateless; safe for concurrent use.
 *
 * <p>Rule: RFC 9649 §3.
 */
final class LosslessWebp {

    private static final int LONGEST_CODE = 15;
    private static final int LONGEST_LENGTH_CODE = 7;

    /** The order in which the lengths of the code of lengths are written. */
    private static final int[] LENGTH_ORDER = {17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    /** Left or top, whichever is nearer to what both and their corner suggest. */
    private static final int PREDICTOR_SELECT = 11;

    /** The largest block of one predictor, as a power of two; the whole picture uses one. */
    private static final int BLOCK_BITS = 9;

    private static final int GREENS = 256 + 24;
    private static final int DISTANCES = 40;

    private LosslessWebp() {}

    /**
     * Writes a picture.
     *
     * @param picture at most 16384 pixels wide and high
     * @param out stays open
     */
    static void write(BufferedImage picture, OutputStream out) throws IOException {
        int width = picture.getWidth();
        int height = picture.getHeight();
        if (width > 1 << 14 || height > 1 << 14) {
            throw new IOException("a WebP picture is at most 16384 pixels wide and high");
        }
        boolean alpha = picture.getColorModel().hasAlpha();
        var bits = new Bits();
        bits.put(0x2f, 8);
        bits.put(width - 1, 14);
        bits.put(height - 1, 14);
        bits.put(alpha ? 1 : 0, 1);
        bits.put(0, 3);

        bits.put(1, 1);
        bits.put(2, 2); // subtract green
        bits.put(1, 1);
        bits.put(0, 2); // predictor, whose blocks are a small picture of their own
        bits.put(BLOCK_BITS - 2, 3);
        int blocks = blocks(width) * blocks(height);
        int[] modes = new int[blocks];
        Arrays.fill(modes, PREDICTOR_SELECT << 8);
        bits.put(0, 1); // no colour cache
        putPixels(bits, modes);
        bits.put(0, 1); // no further transform

        bits.put(0, 1); // no colour cache
        bits.put(0, 1); // one set of codes for all of the picture
        putPixels(bits, differences(withoutGreen(picture.getRGB(0, 0, width, height, null, 0, width)), width));

        byte[] body = bits.toByteArray();
        int padded = body.length + (body.length & 1);
        ByteBuffer file = ByteBuffer.allocate(20 + padded).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(ISO_8859_1)).putInt(12 + padded).put("WEBPVP8L".getBytes(ISO_8859_1));
        file.putInt(body.length).put(body);
        out.write(file.array());
    }

    private static int blocks(int length) {
        return (length + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS;
    }

    private static int[] withoutGreen(int[] pixels) {
        for (int i = 0; i < pixels.length; i++) {
            int pixel = pixels[i];
            int green = pixel >> 8 & 0xff;
            int red = (pixel >> 16 & 0xff) - green & 0xff;
            int blue = (pixel & 0xff) - green & 0xff;
            pixels[i] = (pixel & 0xff00ff00) | (red << 16) | blue;
        }
        return pixels;
    }

    private static int[] differences(int[] pixels, int width) {
        int[] differences = new int[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            int predicted;
            if (i == 0) {
                predicted = 0xff000000;
            } else if (i < width) {
                predicted = pixels[i - 1];
            } else if (i % width == 0) {
                predicted = pixels[i - width];
            } else {
                predicted = select(pixels[i - 1], pixels[i - width], pixels[i - width - 1]);
            }
            differences[i] = minus(pixels[i], predicted);
        }
        return differences;
    }

    private static int select(int left, int top, int corner) {
        int toLeft = 0;
        int toTop = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            int l = left >>> shift & 0xff;
            int t = top >>> shift & 0xff;
            int c = corner >>> shift & 0xff;
            // Left + top - corner is what a plane through the three would give.
            toLeft += Math.abs(t - c);
            toTop += Math.abs(l - c);
        }
        return toLeft < toTop ? left : top;
    }

    private static int minus(int a, int b) {
        int alphaGreen = 0x00ff00ff + (a & 0xff00ff00) - (b & 0xff00ff00);
        int redBlue = 0xff00ff00 + (a & 0x00ff00ff) - (b & 0x00ff00ff);
        return (alphaGreen & 0xff00ff00) | (redBlue & 0x00ff00ff);
    }

    private static void putPixels(Bits bits, int[] pixels) {
        long[] greens = new long[GREENS];
        long[] reds = new long[256];
        long[] blues = new long[256];
        long[] alphas = new long[256];
        for (int pixel : pixels) {
            greens[pixel >> 8 & 0xff]++;
            reds[pixel >> 16 & 0xff]++;
            blues[pixel & 0xff]++;
            alphas[pixel >>> 24]++;
        }
        Code green = Code.of(greens, LONGEST_CODE);
        Code red = Code.of(reds, LONGEST_CODE);
        Code blue = Code.of(blues, LONGEST_CODE);
        Code alpha = Code.of(alphas, LONGEST_CODE);
        green.describe(bits);
        red.describe(bits);
        blue.describe(bits);
        alpha.describe(bits);
        Code.of(new long[DISTANCES], LONGEST_CODE).describe(bits);
        for (int pixel : pixels) {
            green.put(bits, pixel >> 8 & 0xff);
            red.put(bits, pixel >> 16 & 0xff);
            blue.put(bits, pixel & 0xff);
            alpha.put(bits, pixel >>> 24);
        }
    }

    /** Bits from the lowest to the highest, as the format counts them. */
    private static final class Bits {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        private long pending;
        private int count;

        void put(int value, int length) {
            pending |= (long) value << count;
            count += length;
            while (count >= 8) {
                bytes.write((int) pending & 0xff);
                pending >>>= 8;
                count -= 8;
            }
        }

        byte[] toByteArray() {
            put(0, (8 - count) & 7);
            return bytes.toByteArray();
        }
    }

    /** A canonical prefix code; one symbol alone takes no bits. */
    private static final class Code {

        private final int[] lengths;
        private final int[] codes;
        private final int symbols;

        private Code(int[] lengths) {
            this.lengths = lengths;
            symbols = (int) Arrays.stream(lengths).filter(length -> length > 0).count();
            codes = canonical(lengths);
        }

        static Code of(long[] counts, int longest) {
            long floor = 1;
            int[] lengths = lengths(counts, floor);
            // Rare symbols get long codes; counting them as less rare shortens these until they fit.
            while (Arrays.stream(lengths).max().orElse(0) > longest) {
                floor *= 2;
                lengths = lengths(counts, floor);
            }
            return new Code(lengths);
        }

        void put(Bits bits, int symbol) {
            if (symbols > 1) {
                bits.put(codes[symbol], lengths[symbol]);
            }
        }

        void describe(Bits bits) {
            if (symbols <= 1) {
                describeSingle(bits);
                return;
            }
            bits.put(0, 1);
            int[] tokens = new int[lengths.length];
            int[] extra = new int[lengths.length];
            int count = tokens(tokens, extra);
            long[] counts = new long[19];
            for (int i = 0; i < count; i++) {
                counts[tokens[i]]++;
            }
            Code code = of(counts, LONGEST_LENGTH_CODE);
            int last = LENGTH_ORDER.length;
            while (last > 4 && code.lengths[LENGTH_ORDER[last - 1]] == 0) {
                last--;
            }
            bits.put(last - 4, 4);
            for (int i = 0; i < last; i++) {
                bits.put(code.lengths[LENGTH_ORDER[i]], 3);
            }
            bits.put(0, 1); // the lengths of all symbols follow
            for (int i = 0; i < count; i++) {
                code.put(bits, tokens[i]);
                if (tokens[i] == 17) {
                    bits.put(extra[i], 3);
                } else if (tokens[i] == 18) {
                    bits.put(extra[i], 7);
                }
            }
        }

        private void describeSingle(Bits bits) {
            int symbol = 0;
            while (symbol < lengths.length - 1 && lengths[symbol] == 0) {
                symbol++;
            }
            if (lengths[symbol] == 0) {
                symbol = 0;
            }
            bits.put(1, 1);
            bits.put(0, 1); // one symbol
            bits.put(1, 1); // of eight bits
            bits.put(symbol, 8);
        }

        /** Lengths, in which runs of zeros are told in one. */
        private int tokens(int[] tokens, int[] extra) {
            int count = 0;
            int at = 0;
            while (at < lengths.length) {
                int run = 0;
                while (at + run < lengths.length && lengths[at + run] == 0 && run < 138) {
                    run++;
                }
                if (run >= 3) {
                    tokens[count] = run <= 10 ? 17 : 18;
                    extra[count] = run <= 10 ? run - 3 : run - 11;
                    at += run;
                } else {
                    tokens[count] = lengths[at];
                    at++;
                }
                count++;
            }
            return count;
        }

        private static int[] lengths(long[] counts, long floor) {
            record Node(long count, int order, int symbol, List<Node> children) {}
            var queue = new PriorityQueue<Node>(
                    Comparator.comparingLong(Node::count).thenComparingInt(Node::order));
            for (int symbol = 0; symbol < counts.length; symbol++) {
                if (counts[symbol] > 0) {
                    queue.add(new Node(Math.max(counts[symbol], floor), symbol, symbol, List.of()));
                }
            }
            int[] lengths = new int[counts.length];
            if (queue.size() == 1) {
                lengths[queue.remove().symbol()] = 1;
                return lengths;
            }
            int order = counts.length;
            while (queue.size() > 1) {
                Node a = queue.remove();
                Node b = queue.remove();
                queue.add(new Node(a.count() + b.count(), order++, -1, List.of(a, b)));
            }
            record Depth(Node node, int depth) {}
            var open = new ArrayDeque<Depth>();
            if (!queue.isEmpty()) {
                open.push(new Depth(queue.remove(), 0));
            }
            while (!open.isEmpty()) {
                Depth next = open.pop();
                if (next.node().children().isEmpty()) {
                    lengths[next.node().symbol()] = next.depth();
                }
                for (Node child : next.node().children()) {
                    open.push(new Depth(child, next.depth() + 1));
                }
            }
            return lengths;
        }

        /** Codes in the order of their lengths, turned round as the first bit is the lowest. */
        private static int[] canonical(int[] lengths) {
            int[] counts = new int[LONGEST_CODE + 1];
            for (int length : lengths) {
                counts[length]++;
            }
            counts[0] = 0;
            int[] next = new int[LONGEST_CODE + 1];
            for (int length = 1; length <= LONGEST_CODE; length++) {
                next[length] = (next[length - 1] + counts[length - 1]) << 1;
            }
            int[] codes = new int[lengths.length];
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                int length = lengths[symbol];
                if (length > 0) {
                    codes[symbol] = Integer.reverse(next[length]++) >>> (32 - length);
                }
            }
            return codes;
        }
    }
}
