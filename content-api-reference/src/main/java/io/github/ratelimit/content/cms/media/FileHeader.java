package io.github.ratelimit.content.cms.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads from the head of a file how long a sound or a film is, and how large a picture is that is not decoded here. What a file does not tell, or
 * tells wrongly, is 0. Belongs to one thread.
 */
final class FileHeader implements AutoCloseable {

    /** Chosen: more chunks, boxes or entries than any usual file has before what is looked for. */
    private static final int MOST_PARTS = 1_000;

    /** Boxes whose content is boxes again; of {@code meta} after four bytes. */
    private static final Set<String> HOLDERS = Set.of("moov", "meta", "iprp", "ipco");

    // Rule: ISO/IEC 11172-3 and 13818-3, the header of a frame: kilobits and samples a second, layer III.
    private static final int[] KILOBITS = {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0};
    private static final int[] KILOBITS_2 = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0};
    private static final int[] SAMPLES = {44_100, 48_000, 32_000, 0};

    private final RandomAccessFile file;
    private double seconds;
    private int width;
    private int height;

    private FileHeader(Path path) throws IOException {
        file = new RandomAccessFile(path.toFile(), "r");
    }

    /** Adds the length of a sound or a film, if it is of a kind that is measured here. */
    static void putLength(ObjectNode details, Path path) throws IOException {
        try (FileHeader header = new FileHeader(path)) {
            header.readLength(details);
            if (header.seconds == 0) {
                return;
            }
            long seconds = Math.round(header.seconds);
            String minutes = String.format(Locale.ROOT, "%02d:%02d", seconds / 60 % 60, seconds % 60);
            details.put("length", seconds);
            details.put(
                    "length_formatted",
                    seconds < 3600 ? minutes.replaceFirst("^0", "") : seconds / 3600 + ":" + minutes);
        }
    }

    /** Returns the width and the height of a picture, in pixels. */
    static int[] size(Path path) throws IOException {
        try (FileHeader header = new FileHeader(path)) {
            header.readSize();
            return new int[] {Math.max(0, header.width), Math.max(0, header.height)};
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void readLength(ObjectNode details) throws IOException {
        try {
            ByteBuffer head = at(0, 12);
            if (head.getInt(0) == 0x52494646) { // RIFF
                details.put("dataformat", "wav");
                readWave(details);
            } else if (head.getInt(0) >>> 8 == 0x494433 || head.getShort(0) >> 5 == -1) { // ID3, or a frame
                readFrames(head);
            } else {
                readBoxes(0, file.length(), MOST_PARTS);
            }
        } catch (EOFException | IllegalArgumentException e) {
            // A file that was cut off is as long as what is known of it.
        }
    }

    private void readSize() throws IOException {
        try {
            ByteBuffer head = at(0, 26);
            switch (head.getShort(0)) {
                case 0x424d -> { // BM
                    width = head.order(ByteOrder.LITTLE_ENDIAN).getInt(18);
                    height = Math.abs(head.getInt(22)); // negative if its rows go down
                }
                case 0x4949 -> readDirectory(ByteOrder.LITTLE_ENDIAN); // II
                case 0x4d4d -> readDirectory(ByteOrder.BIG_ENDIAN); // MM
                default -> readBoxes(0, file.length(), MOST_PARTS);
            }
        } catch (EOFException | IllegalArgumentException e) {
            // The picture is kept without its size.
        }
    }

    private ByteBuffer at(long offset, int length) throws IOException {
        byte[] bytes = new byte[Math.max(0, length)];
        file.seek(offset);
        file.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static String text(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return new String(bytes, ISO_8859_1);
    }

    private void readWave(ObjectNode details) throws IOException {
        int bytesASecond = 0;
        long offset = 12;
        for (int i = 0; i < MOST_PARTS; i++) {
            ByteBuffer chunk = at(offset, 8);
            long length = Integer.toUnsignedLong(Integer.reverseBytes(chunk.getInt(4)));
            offset += 8;
            if (chunk.getInt(0) == 0x666d7420 && length >= 16) { // "fmt "
                ByteBuffer format = at(offset, 16).order(ByteOrder.LITTLE_ENDIAN);
                details.put("channels", Short.toUnsignedInt(format.getShort(2)));
                details.put("sample_rate", Math.max(0, format.getInt(4)));
                bytesASecond = Math.max(0, format.getInt(8));
                details.put("bitrate", bytesASecond * 8L);
            } else if (chunk.getInt(0) == 0x64617461) { // "data"
                long data = Math.min(length, file.length());
                seconds = bytesASecond == 0 ? 0 : (double) data / bytesASecond;
                return;
            }
            offset += length + (length & 1);
        }
    }

    /** Measures by the first frame, or by the number of frames where that is told: a file of changing rates tells it. */
    private void readFrames(ByteBuffer head) throws IOException {
        long offset = 0;
        if (head.get(0) == 'I') { // a tag, whose length has seven bits in each byte
            long length = 0;
            for (int i = 6; i < 10; i++) {
                length = (length << 7) | (head.get(i) & 127);
            }
            offset = 10 + length;
        }
        ByteBuffer frame = at(offset, (int) Math.min(192, file.length() - offset));
        int bits = frame.capacity() < 4 ? 0 : frame.getInt(0);
        boolean isFirstVersion = (bits >> 19 & 3) == 3;
        int samples = SAMPLES[bits >> 10 & 3] >> (isFirstVersion ? 0 : (bits >> 19 & 3) == 2 ? 1 : 2);
        int kilobits = (isFirstVersion ? KILOBITS : KILOBITS_2)[bits >> 12 & 15];
        if (bits >>> 21 != 0x7ff || (bits >> 17 & 3) != 1 || samples == 0 || kilobits == 0) {
            return; // no frame of layer III
        }
        String text = text(frame, 0, frame.capacity());
        int told = Math.max(text.indexOf("Xing"), text.indexOf("Info"));
        if (told > 0 && told + 12 <= frame.capacity() && (frame.getInt(told + 4) & 1) == 1) {
            seconds = Integer.toUnsignedLong(frame.getInt(told + 8)) * (isFirstVersion ? 1152.0 : 576.0) / samples;
        } else {
            seconds = (file.length() - offset) / (kilobits * 125.0);
        }
    }

    /** Looks through the boxes of MPEG-4, HEIF and AVIF. Rule: ISO/IEC 14496-12, 4.2 and 8.2.2; 23008-12, 6.5.3. */
    private int readBoxes(long from, long end, int left) throws IOException {
        int parts = left;
        for (long offset = from; offset + 8 <= end && parts > 0; parts--) {
            ByteBuffer box = at(offset, 8);
            String type = text(box, 4, 4);
            long length = Integer.toUnsignedLong(box.getInt(0));
            long content = offset + 8;
            if (length == 1) {
                length = at(content, 8).getLong();
                content += 8;
            } else if (length == 0) {
                length = end - offset; // up to the end
            }
            if (length < content - offset || length > end - offset) {
                return 0; // it is broken, or cut off
            }
            if (HOLDERS.contains(type)) {
                parts = readBoxes(content + (type.equals("meta") ? 4 : 0), offset + length, parts - 1);
            } else if (type.equals("mvhd")) {
                boolean isLong = at(content, 1).get(0) == 1;
                ByteBuffer times = at(content + (isLong ? 20 : 12), 12);
                long units = isLong ? times.getLong(4) : Integer.toUnsignedLong(times.getInt(4));
                seconds = Math.max(0, units) / (double) Math.max(1, Integer.toUnsignedLong(times.getInt(0)));
            } else if (type.equals("ispe")) { // the largest is the whole, of tiles and smaller ones
                ByteBuffer size = at(content + 4, 8);
                width = Math.max(width, size.getInt(0));
                height = Math.max(height, size.getInt(4));
            }
            offset += length;
        }
        return parts;
    }

    /** Looks through the first directory of a TIFF file. Rule: TIFF 6.0, section 2. */
    private void readDirectory(ByteOrder order) throws IOException {
        long offset = Integer.toUnsignedLong(at(4, 4).order(order).getInt());
        int entries = Math.min(
                MOST_PARTS, Short.toUnsignedInt(at(offset, 2).order(order).getShort()));
        for (int i = 0; i < entries; i++) {
            ByteBuffer entry = at(offset + 2 + i * 12L, 12).order(order);
            int value = entry.getShort(2) == 3 ? Short.toUnsignedInt(entry.getShort(8)) : entry.getInt(8);
            switch (entry.getShort(0)) {
                case 256 -> width = value;
                case 257 -> height = value;
                default -> {}
            }
        }
    }
}
