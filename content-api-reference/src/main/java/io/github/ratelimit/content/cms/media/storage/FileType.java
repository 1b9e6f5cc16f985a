package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.TextTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final int HEAD_BYTES = 4096;

    private record Rule(FileType type, Predicate<byte[]> content, List<String> extensions) {}

    private static final Predicate<byte[]> WAVE = riff("WAVE");
    private static final Predicate<byte[]> ZIP = starting("PK\u0003\u0004");
    private static final Predicate<byte[]> OGG = starting("OggS");
    private static final Predicate<byte[]> MATROSKA = starting("\u001aE\u00df\u00a3");
    private static final Predicate<byte[]> MPEG_4 = at(4, "ftyp");

    /** The brands of which HEIF pictures name one before or after that of the coding. */
    private static final Set<String> HEIF_BRANDS =
            Set.of("heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1");

    /**
     * What the table of types calls contents. Tools save sounds under each other's extension, and films too: anything that plays as one is taken
     * for one.
     */
    private static final Map<String, Predicate<byte[]>> CONTENTS = Map.ofEntries(
            entry("jpeg", starting("\u00ff\u00d8\u00ff")),
            entry("png", starting("\u0089PNG\r\n\u001a\n")),
            entry("gif", starting("GIF87a").or(starting("GIF89a"))),
            entry("webp", riff("WEBP")),
            entry("bmp", starting("BM")),
            entry("tiff", starting("II*\0").or(starting("MM\0*"))),
            entry("avif", at(8, "avif").or(at(8, "avis"))),
            entry(
                    "heif",
                    MPEG_4.and(head ->
                            HEIF_BRANDS.contains(new String(head, 8, Math.min(4, head.length - 8), ISO_8859_1)))),
            entry(
                    "sound",
                    WAVE.or(starting("ID3"))
                            .or(FileType::isMpegFrame)
                            .or(OGG)
                            .or(starting("fLaC"))
                            .or(MPEG_4)
                            .or(MATROSKA)
                            .or(starting("MThd"))),
            entry(
                    "film",
                    MPEG_4.or(at(4, "moov"))
                            .or(at(4, "wide"))
                            .or(OGG)
                            .or(MATROSKA)
                            .or(starting("FLV"))
                            .or(riff("AVI "))),
            entry("pdf", FileType::isPdf),
            entry("text", FileType::isPlainText),
            entry("tabbed", text("\t")),
            entry("calendar", text("BEGIN:VCALENDAR")),
            entry("rtf", starting("{\\rtf")),
            entry("zip", ZIP.or(starting("PK\u0005\u0006"))),
            entry("zipped", ZIP),
            entry("gzip", starting("\u001f\u008b")),
            entry("rar", starting("Rar!\u001a")),
            entry("7z", starting("7z\u00bc\u00af")),
            entry("tar", at(257, "ustar")),
            entry("ole", starting("\u00d0\u00cf\u0011\u00e0")));

    private static final List<Rule> RULES = TextTable.rows(FileType.class, "file-types.txt").stream()
            .map(row -> new Rule(
                    new FileType(row.get(0)),
                    requireNonNull(CONTENTS.get(row.get(1))),
                    List.of(row.get(2).split(" ", -1))))
            .toList();

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
     * Reads as much of a file as decides what it is.
     *
     * @param file any
     * @return its first {@value #HEAD_BYTES} bytes, or all of them
     */
    public static byte[] head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(HEAD_BYTES);
        }
    }

    /**
     * Decides what a file is.
     *
     * @param name its name
     * @param head from {@link #head}
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
        String text = Letters.lower(new String(head, isWide ? UTF_16 : ISO_8859_1));
        String shown = text.replaceFirst("^(?:\u00ef\u00bb\u00bf)?\\s*", "");
        return text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b)
                && NO_TEXT.stream().noneMatch(shown::startsWith)
                && MARKUP.stream().noneMatch(text::contains);
    }
}
