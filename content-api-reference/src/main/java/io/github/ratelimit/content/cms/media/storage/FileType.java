package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.content.cms.text.LetterCase;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What an uploaded file is, decided by its name and its content together.
 *
 * <p>An immutable value. Types that are not listed are rejected, and so are files whose content is another one; what a
 * client declares plays no part. There is no type for pages, programs or pictures made of markup.
 *
 * @param mediaType for example {@code image/jpeg}
 */
public record FileType(String mediaType) {

    /** How much of a file is looked at. */
    public static final int HEAD_BYTES = 4096;

    private record Rule(FileType type, Predicate<byte[]> content, List<String> extensions) {
        Rule(String mediaType, Predicate<byte[]> content, String... extensions) {
            this(new FileType(mediaType), content, List.of(extensions));
        }
    }

    private static final Predicate<byte[]> JPEG = starting("\u00ff\u00d8\u00ff");
    private static final Predicate<byte[]> PNG = starting("\u0089PNG\r\n\u001a\n");
    private static final Predicate<byte[]> GIF = starting("GIF87a").or(starting("GIF89a"));
    private static final Predicate<byte[]> WEBP = riff("WEBP");
    private static final Predicate<byte[]> WAVE = riff("WAVE");
    private static final Predicate<byte[]> ZIP = starting("PK\u0003\u0004");
    private static final Predicate<byte[]> OLE = starting("\u00d0\u00cf\u0011\u00e0");
    private static final Predicate<byte[]> OGG = starting("OggS");
    private static final Predicate<byte[]> MATROSKA = starting("\u001aE\u00df\u00a3");
    private static final Predicate<byte[]> MPEG_4 = at(4, "ftyp");

    /** Pictures of this family name one of two brands of it before or after the coding's. */
    private static final Predicate<byte[]> HEIF =
            MPEG_4.and(head -> Set.of("heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1")
                    .contains(new String(head, 8, Math.min(4, head.length - 8), ISO_8859_1)));

    /** Tools save sounds under each other's extension, and so do they films: whatever plays as one is taken for one. */
    private static final Predicate<byte[]> SOUND = WAVE.or(starting("ID3"))
            .or(FileType::isMpegFrame)
            .or(OGG)
            .or(starting("fLaC"))
            .or(MPEG_4)
            .or(MATROSKA)
            .or(starting("MThd"));

    private static final Predicate<byte[]> FILM = MPEG_4.or(at(4, "moov"))
            .or(at(4, "wide"))
            .or(OGG)
            .or(MATROSKA)
            .or(starting("FLV"))
            .or(riff("AVI "));

    private static final List<Rule> RULES = List.of(
            new Rule("image/jpeg", JPEG, "jpg", "jpeg", "jpe"),
            new Rule("image/png", PNG, "png"),
            new Rule("image/gif", GIF, "gif"),
            new Rule("image/webp", WEBP, "webp"),
            new Rule("image/bmp", starting("BM"), "bmp"),
            new Rule("image/tiff", starting("II*\0").or(starting("MM\0*")), "tif", "tiff"),
            new Rule("image/avif", at(8, "avif").or(at(8, "avis")), "avif"),
            new Rule("image/heic", HEIF, "heic"),
            new Rule("image/heif", HEIF, "heif"),
            new Rule("image/heic-sequence", HEIF, "heics"),
            new Rule("image/heif-sequence", HEIF, "heifs"),
            new Rule("audio/wav", SOUND, "wav", "x-wav"),
            new Rule("audio/mpeg", SOUND, "mp3", "m4a", "m4b"),
            new Rule("audio/aac", SOUND, "aac"),
            new Rule("audio/ogg", SOUND, "ogg", "oga"),
            new Rule("audio/flac", SOUND, "flac"),
            new Rule("audio/x-matroska", SOUND, "mka"),
            new Rule("audio/x-ms-wma", SOUND, "wma"),
            new Rule("audio/x-ms-wax", SOUND, "wax"),
            new Rule("audio/x-realaudio", SOUND, "ra", "ram"),
            new Rule("audio/midi", SOUND, "mid", "midi"),
            new Rule("video/mp4", FILM, "mp4", "m4v"),
            new Rule("video/quicktime", FILM, "mov", "qt"),
            new Rule("video/ogg", FILM, "ogv"),
            new Rule("video/webm", FILM, "webm"),
            new Rule("video/x-matroska", FILM, "mkv"),
            new Rule("video/x-flv", FILM, "flv"),
            new Rule("video/3gpp", FILM, "3gp", "3gpp"),
            new Rule("video/avi", FILM, "avi"),
            new Rule("application/pdf", FileType::isPdf, "pdf"),
            new Rule("text/plain", FileType::isPlainText, "txt", "asc", "c", "cc", "h", "srt"),
            new Rule("text/richtext", FileType::isPlainText, "rtx"),
            new Rule("text/csv", FileType::isPlainText, "csv"),
            new Rule("text/tab-separated-values", text("\t"), "tsv"),
            new Rule("text/calendar", text("BEGIN:VCALENDAR"), "ics"),
            new Rule("text/vtt", FileType::isPlainText, "vtt"),
            new Rule("application/rtf", starting("{\\rtf"), "rtf"),
            new Rule("application/zip", ZIP.or(starting("PK\u0005\u0006")), "zip"),
            new Rule("application/x-gzip", starting("\u001f\u008b"), "gz", "gzip"),
            new Rule("application/rar", starting("Rar!\u001a"), "rar"),
            new Rule("application/x-7z-compressed", starting("7z\u00bc\u00af"), "7z"),
            new Rule("application/x-tar", at(257, "ustar"), "tar"),
            new Rule("application/msword", OLE, "doc"),
            new Rule("application/vnd.ms-excel", OLE, "xls"),
            new Rule("application/vnd.ms-powerpoint", OLE, "ppt"),
            new Rule("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ZIP, "docx"),
            new Rule("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ZIP, "xlsx"),
            new Rule("application/vnd.openxmlformats-officedocument.presentationml.presentation", ZIP, "pptx"),
            new Rule("application/vnd.oasis.opendocument.text", ZIP, "odt"),
            new Rule("application/vnd.oasis.opendocument.spreadsheet", ZIP, "ods"),
            new Rule("application/vnd.oasis.opendocument.presentation", ZIP, "odp"));

    private static final Map<String, Rule> BY_EXTENSION = RULES.stream()
            .flatMap(rule -> rule.extensions().stream().map(extension -> Map.entry(extension, rule)))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    /** The extensions that pictures are given by what they are. */
    private static final List<String> PICTURE_EXTENSIONS =
            List.of("jpg", "png", "gif", "webp", "bmp", "tif", "avif", "heic");

    /** What a text must not begin with or hold in its head: some readers would take it for a page. */
    private static final List<String> MARKUP =
            List.of("<!doctype", "<html", "<head", "<body", "<script", "<iframe", "<svg", "<?xml", "<?php", "<%");

    /** What a text must not begin with: it would be a document, a picture or a program in letters. */
    private static final List<String> NO_TEXT = List.of("%pdf-", "%!ps", "{\\rtf", "gif8", "#!");

    /**
     * Decides what a file is.
     *
     * @param name its name
     * @param head its first {@link #HEAD_BYTES} bytes, or all of them
     * @return empty if it is not allowed, or not what its name says
     */
    public static Optional<FileType> of(String name, byte[] head) {
        Rule rule = BY_EXTENSION.get(FileNames.extension(name));
        return rule == null || !rule.content().test(head) ? Optional.empty() : Optional.of(rule.type());
    }

    /** Tells whether files with an extension are taken, whatever its letter case. */
    static boolean hasExtension(String extension) {
        return BY_EXTENSION.containsKey(extension.toLowerCase(Locale.ROOT));
    }

    /**
     * Gives a picture the extension of what it is: tools save pictures under another one's, and clients expect them to be
     * taken.
     *
     * @param name a clean name
     * @param head as for {@link #of}
     * @return the name, changed only if both extension and content are those of pictures
     */
    public static String fittingName(String name, byte[] head) {
        String sent = FileNames.extension(name);
        Rule named = BY_EXTENSION.get(sent);
        boolean isPicture = named == null
                ? sent.equals("ico") // not taken here, but what lies under it may be
                : named.type().kind().equals("image") && !named.content().test(head);
        if (!isPicture) {
            return name;
        }
        return PICTURE_EXTENSIONS.stream()
                .filter(extension ->
                        requireNonNull(BY_EXTENSION.get(extension)).content().test(head))
                .findFirst()
                .map(extension -> FileNames.stem(name) + "." + extension)
                .orElse(name);
    }

    /** Returns every media type that a list can be asked for. */
    public static List<String> allMediaTypes() {
        return RULES.stream()
                .map(rule -> rule.type().mediaType())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns what stands before the slash: {@code image}, {@code audio}, {@code video}, {@code text}, … */
    public String kind() {
        return mediaType.substring(0, mediaType.indexOf('/'));
    }

    /** Tells whether it is a sound or a film. */
    public boolean isPlayed() {
        return kind().equals("audio") || kind().equals("video");
    }

    /** Tells whether a browser may show such a file itself; others are offered for saving. */
    public boolean isShown() {
        return kind().equals("image") || isPlayed();
    }

    private static Predicate<byte[]> starting(String bytes) {
        return at(0, bytes);
    }

    private static Predicate<byte[]> at(int offset, String bytes) {
        byte[] expected = bytes.getBytes(ISO_8859_1);
        return head -> head.length >= offset + expected.length
                && Arrays.equals(head, offset, offset + expected.length, expected, 0, expected.length);
    }

    private static Predicate<byte[]> riff(String form) {
        return starting("RIFF").and(at(8, form));
    }

    /** A frame of MPEG audio, or of AAC, whose layer is 0. */
    private static boolean isMpegFrame(byte[] head) {
        return head.length > 2
                && (head[0] & 0xff) == 0xff
                && (((head[1] & 0xe0) == 0xe0 && (head[1] & 0x06) != 0) || (head[1] & 0xf6) == 0xf0);
    }

    private static Predicate<byte[]> text(String holding) {
        Predicate<byte[]> plain = FileType::isPlainText;
        return plain.and(head -> new String(head, ISO_8859_1).contains(holding));
    }

    /** Tells whether a sound is one that can be measured here, whatever its extension. */
    public static boolean isWave(byte[] head) {
        return WAVE.test(head);
    }

    /** Some programs write line breaks before the header. */
    private static boolean isPdf(byte[] head) {
        return new String(head, ISO_8859_1).stripLeading().startsWith("%PDF-");
    }

    /** Text in any charset whose plain letters are those of ASCII, or in UTF-16 that says so. */
    private static boolean isPlainText(byte[] head) {
        boolean isWide = starting("\u00ff\u00fe").or(starting("\u00fe\u00ff")).test(head);
        String text = LetterCase.lower(new String(head, isWide ? UTF_16 : ISO_8859_1));
        String shown = text.replaceFirst("^(?:\u00ef\u00bb\u00bf)?\\s*", "");
        return text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b)
                && NO_TEXT.stream().noneMatch(shown::startsWith)
                && MARKUP.stream().noneMatch(text::contains);
    }
}
