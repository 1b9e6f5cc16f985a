package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

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

    private static final Predicate<byte[]> ZIP = starting("PK\u0003\u0004");
    private static final Predicate<byte[]> MATROSKA = starting("\u001aE\u00df\u00a3");
    private static final Predicate<byte[]> OLE = starting("\u00d0\u00cf\u0011\u00e0");

    private static final Map<String, Rule> BY_EXTENSION = Map.ofEntries(
            rule("jpg", "image/jpeg", starting("\u00ff\u00d8\u00ff")),
            rule("jpeg", "image/jpeg", starting("\u00ff\u00d8\u00ff")),
            rule("jpe", "image/jpeg", starting("\u00ff\u00d8\u00ff")),
            rule("png", "image/png", starting("\u0089PNG\r\n\u001a\n")),
            rule("gif", "image/gif", starting("GIF87a").or(starting("GIF89a"))),
            rule("webp", "image/webp", riff("WEBP")),
            rule("wav", "audio/wav", riff("WAVE")),
            rule("x-wav", "audio/wav", riff("WAVE")),
            rule("mp3", "audio/mpeg", starting("ID3").or(FileType::isMpegFrame)),
            rule("ogg", "audio/ogg", starting("OggS")),
            rule("oga", "audio/ogg", starting("OggS")),
            rule("flac", "audio/flac", starting("fLaC")),
            rule("m4a", "audio/mpeg", at(4, "ftyp")),
            rule("m4b", "audio/mpeg", at(4, "ftyp")),
            rule("mka", "audio/x-matroska", MATROSKA),
            rule("mid", "audio/midi", starting("MThd")),
            rule("midi", "audio/midi", starting("MThd")),
            rule("mp4", "video/mp4", at(4, "ftyp")),
            rule("m4v", "video/mp4", at(4, "ftyp")),
            rule("mov", "video/quicktime", at(4, "ftyp").or(at(4, "moov")).or(at(4, "wide"))),
            rule("ogv", "video/ogg", starting("OggS")),
            rule("webm", "video/webm", MATROSKA),
            rule("mkv", "video/x-matroska", MATROSKA),
            rule("flv", "video/x-flv", starting("FLV")),
            rule("3gp", "video/3gpp", at(4, "ftyp")),
            rule("avi", "video/avi", riff("AVI ")),
            rule("pdf", "application/pdf", starting("%PDF-")),
            rule("txt", "text/plain", FileType::isPlainText),
            rule("asc", "text/plain", FileType::isPlainText),
            rule("srt", "text/plain", FileType::isPlainText),
            rule("csv", "text/csv", FileType::isPlainText),
            rule("tsv", "text/tab-separated-values", FileType::isPlainText),
            rule("ics", "text/calendar", FileType::isPlainText),
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

    private static final List<String> PICTURE_EXTENSIONS = List.of("jpg", "png", "gif", "webp");

    private static final Set<String> SHOWN_KINDS = Set.of("image", "audio", "video");

    /** What a text must not begin with or hold in its head: some readers would take it for a page. */
    private static final List<String> MARKUP =
            List.of("<!doctype", "<html", "<head", "<body", "<script", "<iframe", "<svg", "<?xml", "<?php", "<%");

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
        Rule named = BY_EXTENSION.get(FileNames.extension(name));
        if (named == null
                || !named.type().kind().equals("image")
                || named.content().test(head)) {
            return name;
        }
        return PICTURE_EXTENSIONS.stream()
                .filter(extension ->
                        requireNonNull(BY_EXTENSION.get(extension)).content().test(head))
                .findFirst()
                .map(extension -> FileNames.stem(name) + "." + extension)
                .orElse(name);
    }

    /** Returns every media type that there is. */
    public static List<String> allMediaTypes() {
        return BY_EXTENSION.values().stream()
                .map(rule -> rule.type().mediaType())
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

    private static boolean isMpegFrame(byte[] head) {
        return head.length > 2 && (head[0] & 0xff) == 0xff && (head[1] & 0xe0) == 0xe0 && (head[1] & 0x06) != 0;
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
        String lower = text.toLowerCase(Locale.ROOT);
        return text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b)
                && MARKUP.stream().noneMatch(lower::contains);
    }
}
