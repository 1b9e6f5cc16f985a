package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.drew.imaging.jpeg.JpegSegmentMetadataReader;
import com.drew.imaging.jpeg.JpegSegmentType;
import com.drew.lang.SequentialByteArrayReader;
import com.drew.metadata.Metadata;
import com.drew.metadata.iptc.IptcReader;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Finds the notes that agencies of the press write into a JPEG file: one block among others of their segment.
 *
 * <p>The other blocks are left unread. Some are whole pictures or XML, and none says anything that is shown.
 */
final class PressNotes implements JpegSegmentMetadataReader {

    private static final String PREAMBLE = "Photoshop 3.0\0";
    private static final int SIGNATURE =
            ByteBuffer.wrap("8BIM".getBytes(ISO_8859_1)).getInt();
    private static final int NOTES = 0x0404;

    @Override
    public Iterable<JpegSegmentType> getSegmentTypes() {
        return List.of(JpegSegmentType.APPD);
    }

    @Override
    public void readJpegSegments(Iterable<byte[]> segments, Metadata metadata, JpegSegmentType type) {
        for (byte[] segment : segments) {
            if (new String(segment, 0, Math.min(segment.length, PREAMBLE.length()), ISO_8859_1).equals(PREAMBLE)) {
                read(ByteBuffer.wrap(segment).position(PREAMBLE.length()), metadata);
            }
        }
    }

    private static void read(ByteBuffer blocks, Metadata metadata) {
        // Signature, kind, an empty name and the length of what follows.
        while (blocks.remaining() >= 12 && blocks.getInt() == SIGNATURE) {
            int kind = blocks.getShort() & 0xffff;
            int name = blocks.get() & 0xff;
            skip(blocks, name + (name + 1 & 1));
            if (blocks.remaining() < 4) {
                return;
            }
            int length = blocks.getInt();
            if (length < 0 || length > blocks.remaining()) {
                return;
            }
            if (kind == NOTES) {
                byte[] notes = new byte[length];
                blocks.get(notes);
                new IptcReader().extract(new SequentialByteArrayReader(notes), metadata, length);
                skip(blocks, length & 1);
            } else {
                skip(blocks, length + (length & 1));
            }
        }
    }

    private static void skip(ByteBuffer blocks, int bytes) {
        blocks.position(blocks.position() + Math.min(bytes, blocks.remaining()));
    }
}
