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
import com.drew.metadata.exif.ExifSubIFDDescriptor;
import com.drew.metadata.exif.ExifSubIFDDirectory;
import com.drew.metadata.exif.GpsDirectory;
import com.drew.metadata.iptc.IptcDirectory;
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
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
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
 * @param keywords as given
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
        List<String> keywords,
        boolean hasLocation) {

    /** Chosen: longer texts are no captions. */
    private static final int LONGEST_TEXT = 2000;

    private static final int MOST_KEYWORDS = 100;

    /** Longer texts, in bytes, describe a picture, and do not name it. */
    private static final int LONGEST_NAME = 79;

    /** As many digits of a fraction as clients know. */
    private static final MathContext DIGITS = new MathContext(14);

    private static final DateTimeFormatter PRESS_TIME =
            new DateTimeFormatterBuilder().appendPattern("uuuuMMddHHmmss[XX]").toFormatter(Locale.ROOT);

    // XMP is left unread: it is XML from a stranger, and holds little else.
    private static final List<JpegSegmentMetadataReader> READERS = List.of(new ExifReader(), new PressNotes());

    /** Copies the list. */
    public PictureMeta {
        keywords = List.copyOf(keywords);
    }

    /** Returns what a picture without any such notes has. */
    public static PictureMeta none() {
        return new PictureMeta("0", "", "", "", "0", "", "0", "0", "0", "", 0, List.of(), false);
    }

    /** Returns the same of a picture whose pixels were turned upright. */
    public PictureMeta upright() {
        return new PictureMeta(
                aperture,
                credit,
                camera,
                caption,
                createdTimestamp,
                copyright,
                focalLength,
                iso,
                shutterSpeed,
                title,
                Math.min(1, orientation),
                keywords,
                false);
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
        Directory press = metadata.getFirstDirectoryOfType(IptcDirectory.class);
        Integer orientation = main == null ? null : main.getInteger(ExifIFD0Directory.TAG_ORIENTATION);
        String headline = first(text(press, IptcDirectory.TAG_HEADLINE), text(press, IptcDirectory.TAG_OBJECT_NAME));
        String pressCaption = text(press, IptcDirectory.TAG_CAPTION);
        String description = text(main, ExifIFD0Directory.TAG_IMAGE_DESCRIPTION);
        String comment = comment(details);
        String title = first(headline, first(name(pressCaption), name(first(description, comment))));
        String[] keywords = press == null ? null : press.getStringArray(IptcDirectory.TAG_KEYWORDS);
        return new PictureMeta(
                aperture(details),
                first(
                        first(text(press, IptcDirectory.TAG_CREDIT), text(press, IptcDirectory.TAG_BY_LINE)),
                        text(main, ExifIFD0Directory.TAG_ARTIST)),
                text(main, ExifIFD0Directory.TAG_MODEL),
                first(pressCaption, caption(title, description, comment)),
                first(pressTime(press), timestamp(details)),
                first(text(press, IptcDirectory.TAG_COPYRIGHT_NOTICE), text(main, ExifIFD0Directory.TAG_COPYRIGHT)),
                number(details, ExifSubIFDDirectory.TAG_FOCAL_LENGTH),
                number(details, ExifSubIFDDirectory.TAG_ISO_EQUIVALENT),
                number(details, ExifSubIFDDirectory.TAG_EXPOSURE_TIME),
                title,
                orientation == null || orientation < 1 || orientation > 8 ? 0 : orientation,
                keywords == null
                        ? List.of()
                        : Arrays.stream(keywords)
                                .limit(MOST_KEYWORDS)
                                .map(PictureMeta::cleaned)
                                .toList(),
                metadata.getFirstDirectoryOfType(GpsDirectory.class) != null
                        || !text(press, IptcDirectory.TAG_CITY).isEmpty()
                        || !text(press, IptcDirectory.TAG_SUB_LOCATION).isEmpty());
    }

    private static String first(String preferred, String other) {
        return preferred.isEmpty() ? other : preferred;
    }

    /** A short text names a picture as well. */
    private static String name(String text) {
        return text.getBytes(UTF_8).length > LONGEST_NAME ? "" : text;
    }

    private static String caption(String title, String description, String comment) {
        if (comment.isEmpty() || description.equals(comment)) {
            return description;
        }
        return description.isEmpty() || description.equals(title) ? comment : description + " " + comment;
    }

    /** What the owner of a camera wrote, in the letters that it says itself to be written in. */
    private static String comment(@Nullable ExifSubIFDDirectory details) {
        String comment = details == null ? null : new ExifSubIFDDescriptor(details).getUserCommentDescription();
        return comment == null ? "" : cleaned(comment);
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

    private static String pressTime(@Nullable Directory press) {
        String written = text(press, IptcDirectory.TAG_DATE_CREATED) + text(press, IptcDirectory.TAG_TIME_CREATED);
        try {
            TemporalAccessor time = PRESS_TIME.parseBest(written, OffsetDateTime::from, LocalDateTime::from);
            OffsetDateTime taken =
                    time instanceof LocalDateTime local ? local.atOffset(ZoneOffset.UTC) : OffsetDateTime.from(time);
            return Long.toString(taken.toEpochSecond());
        } catch (DateTimeException e) {
            return "";
        }
    }

    private static String timestamp(@Nullable Directory details) {
        TimeZone utc = TimeZone.getTimeZone("UTC");
        Date taken = details == null ? null : details.getDate(ExifSubIFDDirectory.TAG_DATETIME_DIGITIZED, utc);
        return taken == null ? "0" : Long.toString(taken.toInstant().getEpochSecond());
    }
}
