package io.github.ratelimit.content.cms.media;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Reads how long a sound is from the header of a WAVE file. Pure. */
final class WaveDetails {

    private static final int MOST_CHUNKS = 100;

    private WaveDetails() {}

    /** Adds what the header says; a header that says nothing sensible adds a length of 0. */
    static void put(ObjectNode details, Path file) throws IOException {
        details.put("dataformat", "wav");
        int bytesASecond = 0;
        long data = 0;
        try (InputStream raw = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(raw)) {
            in.skipNBytes(12);
            for (int i = 0; i < MOST_CHUNKS && data == 0; i++) {
                int type = in.readInt();
                long length = Integer.toUnsignedLong(Integer.reverseBytes(in.readInt()));
                if (type == 0x666d7420 && length >= 16) {
                    ByteBuffer format = ByteBuffer.wrap(in.readNBytes(16)).order(ByteOrder.LITTLE_ENDIAN);
                    details.put("channels", Short.toUnsignedInt(format.getShort(2)));
                    details.put("sample_rate", Math.max(0, format.getInt(4)));
                    bytesASecond = Math.max(0, format.getInt(8));
                    details.put("bitrate", bytesASecond * 8L);
                    in.skipNBytes(length - 16 + (length & 1));
                } else if (type == 0x64617461) {
                    data = length;
                } else {
                    in.skipNBytes(length + (length & 1));
                }
            }
        } catch (EOFException e) {
            // A file that was cut off is as long as what is known of it.
        }
        long seconds = bytesASecond == 0 ? 0 : Math.round((double) Math.min(data, Files.size(file)) / bytesASecond);
        details.put("length", seconds);
        details.put("length_formatted", String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60));
    }
}
