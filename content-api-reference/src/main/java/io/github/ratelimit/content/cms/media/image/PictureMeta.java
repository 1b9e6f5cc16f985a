package io.github.ratelimit.content.cms.media.image;

import com.drew.imaging.jpeg.JpegMetadataReader;
import com.drew.imaging.jpeg.JpegProcessingException;
import com.drew.imaging.jpeg.JpegSegmentMetadataReader;
import com.drew.lang.Rational;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;
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
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    // XMP is left unread: it is XML from a stranger, and holds little else.
    private static final List<JpegSegmentMetadataReader> READERS = List.of(new ExifReader(), new IptcReader());

    /** Copies the list. */
    public PictureMeta {
        keywords = List.copyOf(keywords);
    }

    /** Returns what a picture without any such notes has. */
    public static PictureMeta none() {
        return new PictureMeta("0", "", "", "", "0", "", "0", "0", "0", "", 0, List.of(), false);
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
        Directory details = metadata.getFirstDirectoryOfType(ExifSubIFDDirectory.class);
        Directory press = metadata.getFirstDirectoryOfType(IptcDirectory.class);
        Integer orientation = main == null ? null : main.getInteger(ExifIFD0Directory.TAG_ORIENTATION);
        String[] keywords = press == null ? null : press.getStringArray(IptcDirectory.TAG_KEYWORDS);
        return new PictureMeta(
                number(details, ExifSubIFDDirectory.TAG_FNUMBER),
                first(text(press, IptcDirectory.TAG_CREDIT), text(main, ExifIFD0Directory.TAG_ARTIST)),
                text(main, ExifIFD0Directory.TAG_MODEL),
                first(text(press, IptcDirectory.TAG_CAPTION), text(main, ExifIFD0Directory.TAG_IMAGE_DESCRIPTION)),
                timestamp(details),
                first(text(press, IptcDirectory.TAG_COPYRIGHT_NOTICE), text(main, ExifIFD0Directory.TAG_COPYRIGHT)),
                number(details, ExifSubIFDDirectory.TAG_FOCAL_LENGTH),
                number(details, ExifSubIFDDirectory.TAG_ISO_EQUIVALENT),
                number(details, ExifSubIFDDirectory.TAG_EXPOSURE_TIME),
                first(text(press, IptcDirectory.TAG_HEADLINE), text(press, IptcDirectory.TAG_OBJECT_NAME)),
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

    private static String text(@Nullable Directory directory, int tag) {
        String text = directory == null ? null : directory.getString(tag);
        return text == null ? "" : cleaned(text);
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

    private static String number(@Nullable Directory directory, int tag) {
        if (directory == null) {
            return "0";
        }
        Rational rational = directory.getRational(tag);
        Double value = rational != null ? Double.valueOf(rational.doubleValue()) : directory.getDoubleObject(tag);
        if (value == null || !Double.isFinite(value) || value < 0 || value > 1e12) {
            return "0";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(value < 1 ? 12 : 2, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String timestamp(@Nullable Directory details) {
        TimeZone utc = TimeZone.getTimeZone("UTC");
        Date taken = details == null ? null : details.getDate(ExifSubIFDDirectory.TAG_DATETIME_DIGITIZED, utc);
        return taken == null ? "0" : Long.toString(taken.toInstant().getEpochSecond());
    }
}
