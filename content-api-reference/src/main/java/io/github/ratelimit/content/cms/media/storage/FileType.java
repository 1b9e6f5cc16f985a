package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.content.cms.text.LetterCase;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What an uploaded file is, decided by its name and its content together.
 *
 * <p>An immutable value. Types that are not listed are refused, and so are files whose content is another one; what a
 * client declares plays no part. There is no type for pages, programs or pictures made of markup.
 *
 * @param mediaType for example {@code image/jpeg}
 */
public record FileType(String mediaType) {

    /** How much of a file is looked at. */
    public static final int HEAD_BYTES = 4096;

    private record Rule(FileType type, Predicate<byte[]> content) {}

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

    private static final Map<String, Rule> BY_EXTENSION = Map.ofEntries(
            rule("jpg", "image/jpeg", JPEG),
            rule("jpeg", "image/jpeg", JPEG),
            rule("jpe", "image/jpeg", JPEG),
            rule("png", "image/png", PNG),
            rule("gif", "image/gif", GIF),
            rule("webp", "image/webp", WEBP),
            rule("wav", "audio/wav", SOUND),
            rule("x-wav", "audio/wav", SOUND),
            rule("mp3", "audio/mpeg", SOUND),
            rule("m4a", "audio/mpeg", SOUND),
            rule("m4b", "audio/mpeg", SOUND),
            rule("aac", "audio/aac", SOUND),
            rule("ogg", "audio/ogg", SOUND),
            rule("oga", "audio/ogg", SOUND),
            rule("flac", "audio/flac", SOUND),
            rule("mka", "audio/x-matroska", SOUND),
            rule("wma", "audio/x-ms-wma", SOUND),
            rule("wax", "audio/x-ms-wax", SOUND),
            rule("ra", "audio/x-realaudio", SOUND),
            rule("ram", "audio/x-realaudio", SOUND),
            rule("mid", "audio/midi", SOUND),
            rule("midi", "audio/midi", SOUND),
            rule("mp4", "video/mp4", FILM),
            rule("m4v", "video/mp4", FILM),
            rule("mov", "video/quicktime", FILM),
            rule("qt", "video/quicktime", FILM),
            rule("ogv", "video/ogg", FILM),
            rule("webm", "video/webm", FILM),
            rule("mkv", "video/x-matroska", FILM),
            rule("flv", "video/x-flv", FILM),
            rule("3gp", "video/3gpp", FILM),
            rule("3gpp", "video/3gpp", FILM),
            rule("avi", "video/avi", FILM),
            rule("pdf", "application/pdf", starting("%PDF-")),
            rule("txt", "text/plain", FileType::isPlainText),
            rule("asc", "text/plain", FileType::isPlainText),
            rule("c", "text/plain", FileType::isPlainText),
            rule("cc", "text/plain", FileType::isPlainText),
            rule("h", "text/plain", FileType::isPlainText),
            rule("srt", "text/plain", FileType::isPlainText),
            rule("rtx", "text/richtext", FileType::isPlainText),
            rule("csv", "text/csv", FileType::isPlainText),
            rule("tsv", "text/tab-separated-values", text("\t")),
            rule("ics", "text/calendar", text("BEGIN:VCALENDAR")),
            rule("vtt", "text/vtt", FileType::isPlainText),
            rule("rtf", "application/rtf", starting("{\\rtf")),
            rule("zip", "application/zip", ZIP.or(starting("PK\u0005\u0006"))),
            rule("gz", "application/x-gzip", starting("\u001f\u008b")),
            rule("gzip", "application/x-gzip", starting("\u001f\u008b")),
            rule("rar", "application/rar", starting("Rar!\u001a")),
            rule("7z", "application/x-7z-compressed", starting("7z\u00bc\u00af")),
            rule("tar", "application/x-tar", at(257, "ustar")),
            rule("doc", "application/msword", OLE),
            rule("xls", "application/vnd.ms-excel", OLE),
            rule("ppt", "application/vnd.ms-powerpoint", OLE),
            rule("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ZIP),
            rule("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ZIP),
            rule("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", ZIP),
            rule("odt", "application/vnd.oasis.opendocument.text", ZIP),
            rule("ods", "application/vnd.oasis.opendocument.spreadsheet", ZIP),
            rule("odp", "application/vnd.oasis.opendocument.presentation", ZIP));

    /** The extensions that pictures are given by what they are. */
    private static final List<String> PICTURE_EXTENSIONS = List.of("jpg", "png", "gif", "webp");

    /** Extensions of pictures that are not taken here: what lies under one may be a picture that is. */
    private static final Set<String> OTHER_PICTURES =
            Set.of("bmp", "tif", "tiff", "ico", "avif", "heic", "heif", "heics", "heifs");

    /** Types that clients of this interface know beside ours: nobody has such a file here, so a list of them is empty. */
    private static final List<String> OTHER_TYPES = List.of("""
            image/avif image/bmp image/heic image/heic-sequence image/heif image/heif-sequence image/tiff image/x-icon
            video/3gpp2 video/divx video/mpeg video/x-ms-asf video/x-ms-wm video/x-ms-wmv video/x-ms-wmx text/css
            application/java application/octet-stream application/onenote application/oxps application/ttaf+xml
            application/vnd.apple.keynote application/vnd.apple.numbers application/vnd.apple.pages
            application/vnd.ms-access application/vnd.ms-project application/vnd.ms-write application/vnd.ms-xpsdocument
            application/vnd.oasis.opendocument.chart application/vnd.oasis.opendocument.database
            application/vnd.oasis.opendocument.formula application/vnd.oasis.opendocument.graphics application/wordperfect""".split("\\s", -1));

    private static final Set<String> SHOWN_KINDS = Set.of("image", "audio", "video");

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
                ? OTHER_PICTURES.contains(sent)
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
        return Stream.concat(
                        BY_EXTENSION.values().stream().map(rule -> rule.type().mediaType()), OTHER_TYPES.stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns what stands before the slash: {@code image}, {@code audio}, {@code video}, {@code text}, … */
    public String kind() {
        return mediaType.substring(0, mediaType.indexOf('/'));
    }

    /** Tells whether a browser may show such a file itself; others are offered for saving. */
    public boolean isShown() {
        return SHOWN_KINDS.contains(kind());
    }

    private static Map.Entry<String, Rule> rule(String extension, String mediaType, Predicate<byte[]> content) {
        return Map.entry(extension, new Rule(new FileType(mediaType), content));
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

    private static boolean isPlainText(byte[] head) {
        String text;
        try {
            // A character may be cut in two where the head ends.
            int end = head.length;
            while (head.length == HEAD_BYTES && end > head.length - 4 && (head[end - 1] & 0x80) != 0) {
                end--;
            }
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(head, 0, end))
                    .toString();
        } catch (CharacterCodingException e) {
            return false;
        }
        String lower = LetterCase.lower(text);
        return text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b)
                && NO_TEXT.stream().noneMatch(lower::startsWith)
                && MARKUP.stream().noneMatch(lower::contains);
    }
}
