package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.drew.imaging.jpeg.JpegMetadataReader;
import com.drew.imaging.jpeg.JpegProcessingException;
import com.drew.imaging.jpeg.JpegSegmentMetadataReader;
import com.drew.lang.Rational;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
import com.drew.metadata.StringValue;
import com.drew.metadata.exif.ExifIFD0Directory;
import com.drew.metadata.exif.ExifReader;
import com.drew.metadata.exif.ExifSubIFDDirectory;
import com.drew.metadata.exif.GpsDirectory;
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
import org.jspecify.annotations.Nullable;

/**
 * What a camera or its owner wrote into a picture.
 *
 * <p>An immutable value, in the form of {@code media_details.image_meta}: texts, with {@code "0"} for a number that is not
 * known.
 *
 * @param aperture the f-number
 * @param credit who made it
 * @param camera the camera's model
 * @param caption what it shows
 * @param createdTimestamp when it was taken, seconds since 1970 as if the camera's clock were UTC
 * @param copyright the notice
 * @param focalLength in millimetres
 * @param iso the sensitivity
 * @param shutterSpeed in seconds
 * @param title its title
 * @param orientation 1 to 8; 0 if not known
 * @param hasLocation whether it tells where it was taken
 */
public record PictureMeta(
        String aperture,
        String credit,
        String camera,
        String caption,
        String createdTimestamp,
        String copyright,
        String focalLength,
        String iso,
        String shutterSpeed,
        String title,
        int orientation,
        boolean hasLocation) {

    /** Chosen: longer texts are no captions. */
    private static final int LONGEST_TEXT = 2000;

    /** Longer texts, in bytes, describe a picture, and do not name it. */
    private static final int LONGEST_NAME = 79;

    /** As many digits of a fraction as clients know. */
    private static final MathContext DIGITS = new MathContext(14);

    // Other metadata is not read: XMP is XML from a stranger, and the rest is rarely shown.
    private static final List<JpegSegmentMetadataReader> READERS = List.of(new ExifReader());

    /** Returns what a picture without any such notes has. */
    public static PictureMeta none() {
        return new PictureMeta("0", "", "", "", "0", "", "0", "0", "0", "", 0, false);
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
        Integer orientation = main == null ? null : main.getInteger(ExifIFD0Directory.TAG_ORIENTATION);
        String description = text(main, ExifIFD0Directory.TAG_IMAGE_DESCRIPTION);
        return new PictureMeta(
                aperture(details),
                text(main, ExifIFD0Directory.TAG_ARTIST),
                text(main, ExifIFD0Directory.TAG_MODEL),
                description,
                timestamp(details),
                text(main, ExifIFD0Directory.TAG_COPYRIGHT),
                number(details, ExifSubIFDDirectory.TAG_FOCAL_LENGTH),
                number(details, ExifSubIFDDirectory.TAG_ISO_EQUIVALENT),
                number(details, ExifSubIFDDirectory.TAG_EXPOSURE_TIME),
                description.getBytes(UTF_8).length > LONGEST_NAME ? "" : description,
                orientation == null || orientation < 1 || orientation > 8 ? 0 : orientation,
                metadata.getFirstDirectoryOfType(GpsDirectory.class) != null);
    }

    /** Reads UTF-8, and what is none in letters of Western Europe: few programs say which of both they write. */
    private static String text(@Nullable Directory directory, int tag) {
        if (directory == null) {
            return "";
        }
        StringValue written = directory.getStringValue(tag);
        String text = written == null ? directory.getString(tag) : decoded(written.getBytes());
        return text == null ? "" : cleaned(text);
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

    private static String timestamp(@Nullable Directory details) {
        TimeZone utc = TimeZone.getTimeZone("UTC");
        Date taken = details == null ? null : details.getDate(ExifSubIFDDirectory.TAG_DATETIME_DIGITIZED, utc);
        return taken == null ? "0" : Long.toString(taken.toInstant().getEpochSecond());
    }
}
