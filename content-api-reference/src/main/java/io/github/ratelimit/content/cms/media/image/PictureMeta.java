package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.drew.imaging.jpeg.JpegMetadataReader;
import com.drew.imaging.jpeg.JpegProcessingException;
import com.drew.imaging.jpeg.JpegSegmentMetadataReader;
import com.drew.imaging.jpeg.JpegSegmentType;
import com.drew.lang.Rational;
import com.drew.lang.SequentialByteArrayReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
import com.drew.metadata.StringValue;
import com.drew.metadata.exif.ExifIFD0Directory;
import com.drew.metadata.exif.ExifReader;
import com.drew.metadata.exif.ExifSubIFDDirectory;
import com.drew.metadata.exif.GpsDirectory;
import com.drew.metadata.iptc.IptcDirectory;
import com.drew.metadata.iptc.IptcReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a camera, its owner or an agency wrote into a picture.
 *
 * @param shown in the form of {@code media_details.image_meta}: texts, with {@code "0"} for a number that is not known
 * @param orientation 1 to 8 as in Exif; 0 if not known
 * @param hasLocation whether it tells where the picture was taken
 */
public record PictureMeta(ObjectNode shown, int orientation, boolean hasLocation) {

    /** Chosen: longer texts are no captions. */
    private static final int LONGEST_TEXT = 2000;

    private static final int MOST_KEYWORDS = 100;

    /** Longer texts, in bytes, describe a picture, and do not name it. */
    private static final int LONGEST_NAME = 79;

    /** As many digits of a fraction as clients know. */
    private static final MathContext DIGITS = new MathContext(14);

    // XMP is not read: it is XML from a stranger, and holds little else.
    private static final List<JpegSegmentMetadataReader> READERS = List.of(new ExifReader(), new PressNotes());

    /** Returns what a picture without any such notes has. */
    public static PictureMeta none() {
        return of(new Metadata());
    }

    /** Returns the same of a picture that is stored upright, without its notes. */
    public PictureMeta upright() {
        int turned = Math.min(1, orientation);
        return new PictureMeta(shown.deepCopy().put("orientation", String.valueOf(turned)), turned, false);
    }

    /**
     * Reads a picture's notes.
     *
     * @param file the picture
     * @param format its format; only JPEG is looked into
     * @return {@link #none()} where there are none, or none that can be read
     * @throws IOException if the file cannot be read
     */
    public static PictureMeta read(Path file, ImageFormat format) throws IOException {
        if (format != ImageFormat.JPEG) {
            return none();
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return of(JpegMetadataReader.readMetadata(in, READERS));
        } catch (JpegProcessingException | RuntimeException e) {
            return none();
        }
    }

    private static PictureMeta of(Metadata metadata) {
        Directory main = metadata.getFirstDirectoryOfType(ExifIFD0Directory.class);
        ExifSubIFDDirectory details = metadata.getFirstDirectoryOfType(ExifSubIFDDirectory.class);
        IptcDirectory press = metadata.getFirstDirectoryOfType(IptcDirectory.class);
        Integer turned = main == null ? null : main.getInteger(ExifIFD0Directory.TAG_ORIENTATION);
        int orientation = turned == null || turned < 1 || turned > 8 ? 0 : turned;
        String told = text(press, IptcDirectory.TAG_CAPTION);
        String description = text(main, ExifIFD0Directory.TAG_IMAGE_DESCRIPTION);
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("aperture", aperture(details));
        shown.put(
                "credit",
                first(
                        text(press, IptcDirectory.TAG_CREDIT),
                        text(press, IptcDirectory.TAG_BY_LINE),
                        text(main, ExifIFD0Directory.TAG_ARTIST)));
        shown.put("camera", text(main, ExifIFD0Directory.TAG_MODEL));
        shown.put("caption", first(told, description));
        shown.put("created_timestamp", timestamp(press, details));
        shown.put(
                "copyright",
                first(text(press, IptcDirectory.TAG_COPYRIGHT_NOTICE), text(main, ExifIFD0Directory.TAG_COPYRIGHT)));
        shown.put("focal_length", number(details, ExifSubIFDDirectory.TAG_FOCAL_LENGTH));
        shown.put("iso", number(details, ExifSubIFDDirectory.TAG_ISO_EQUIVALENT));
        shown.put("shutter_speed", number(details, ExifSubIFDDirectory.TAG_EXPOSURE_TIME));
        shown.put(
                "title",
                first(
                        text(press, IptcDirectory.TAG_HEADLINE),
                        text(press, IptcDirectory.TAG_OBJECT_NAME),
                        name(told),
                        name(description)));
        shown.put("orientation", String.valueOf(orientation));
        ArrayNode keywords = shown.putArray("keywords");
        texts(press, IptcDirectory.TAG_KEYWORDS).limit(MOST_KEYWORDS).forEach(keywords::add);
        shown.put("alt", "");
        boolean hasLocation = metadata.containsDirectoryOfType(GpsDirectory.class)
                || !first(text(press, IptcDirectory.TAG_CITY), text(press, IptcDirectory.TAG_SUB_LOCATION))
                        .isEmpty();
        return new PictureMeta(shown, orientation, hasLocation);
    }

    private static String first(String... texts) {
        return Stream.of(texts).filter(text -> !text.isEmpty()).findFirst().orElse("");
    }

    /** A short text names a picture as well. */
    private static String name(String text) {
        return text.getBytes(UTF_8).length > LONGEST_NAME ? "" : text;
    }

    private static String text(@Nullable Directory directory, int tag) {
        return texts(directory, tag).findFirst().orElse("");
    }

    /** Reads UTF-8, and what is none in letters of Western Europe: few programs say which of both they write. */
    private static Stream<String> texts(@Nullable Directory directory, int tag) {
        StringValue[] written = directory == null ? null : directory.getStringValueArray(tag);
        Stream<String> texts = written != null
                ? Stream.of(written).map(text -> decoded(text.getBytes()))
                : Stream.ofNullable(directory == null ? null : directory.getString(tag));
        return texts.map(PictureMeta::cleaned);
    }

    private static String decoded(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, ISO_8859_1);
        }
    }

    /** Keeps what a person can read. */
    private static String cleaned(String text) {
        var kept = new StringBuilder();
        text.codePoints()
                .filter(c -> c == '\n' || c == '\t' || (!Character.isISOControl(c) && Character.isDefined(c)))
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .limit(LONGEST_TEXT)
                .forEach(kept::appendCodePoint);
        return kept.toString().strip();
    }

    private static String aperture(@Nullable Directory details) {
        return plain(
                new BigDecimal(number(details, ExifSubIFDDirectory.TAG_FNUMBER)).setScale(2, RoundingMode.HALF_UP));
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    private static String number(@Nullable Directory directory, int tag) {
        if (directory == null) {
            return "0";
        }
        Rational rational = directory.getRational(tag);
        Double value = rational != null ? Double.valueOf(rational.doubleValue()) : directory.getDoubleObject(tag);
        if (value == null || !Double.isFinite(value) || value < 0 || value > 1e12) {
            return "0";
        }
        return plain(BigDecimal.valueOf(value).round(DIGITS));
    }

    /** In seconds since 1970, as if the camera's clock were UTC. */
    private static String timestamp(@Nullable IptcDirectory press, @Nullable ExifSubIFDDirectory details) {
        Date written = press == null ? null : press.getDateCreated();
        Date taken = written != null || details == null
                ? written
                : details.getDate(ExifSubIFDDirectory.TAG_DATETIME_DIGITIZED, TimeZone.getTimeZone("UTC"));
        return taken == null ? "0" : Long.toString(taken.toInstant().getEpochSecond());
    }

    /** Finds the notes of the press, which are one block of their segment. Other blocks are whole pictures or XML. */
    private static final class PressNotes implements JpegSegmentMetadataReader {
        private static final String BLOCK = "8BIM\u0004\u0004";

        @Override
        public Iterable<JpegSegmentType> getSegmentTypes() {
            return List.of(JpegSegmentType.APPD);
        }

        @Override
        public void readJpegSegments(Iterable<byte[]> segments, Metadata metadata, JpegSegmentType type) {
            for (byte[] segment : segments) {
                int name = new String(segment, ISO_8859_1).indexOf(BLOCK) + BLOCK.length();
                // Behind the name, whose length byte and letters are even in number, stand four bytes of the notes'
                // length.
                int notes = name < BLOCK.length() || name >= segment.length
                        ? segment.length
                        : name + ((segment[name] & 0xff) | 1) + 5;
                if (notes < segment.length) {
                    new IptcReader()
                            .extract(new SequentialByteArrayReader(segment, notes), metadata, segment.length - notes);
                }
            }
        }
    }
}
