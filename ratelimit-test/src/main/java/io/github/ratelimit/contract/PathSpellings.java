package io.github.ratelimit.contract;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Spellings of a path that some server, proxy or framework takes for it, and others do not: request targets to try an adapter with.
 *
 * <p>Some are malformed. Send them byte by byte, one byte for each character: a client library would repair or reject them.
 */
public final class PathSpellings {

    private PathSpellings() {}

    /**
     * The spellings, the plain one not among them.
     *
     * @param path of two segments of lower-case letters, for example {@code /secret/pot}
     */
    public static List<String> of(String path) {
        String[] segments = path.substring(1).split("/");
        String a = segments[0];
        String b = segments[1];
        Set<String> spellings = new LinkedHashSet<>();
        for (String end : List.of(
                "/",
                "//",
                "/.",
                "/./",
                "/..",
                "/x/..",
                "/x/../",
                "/%2e",
                "/..;/",
                ";",
                ";a=b",
                ";jsessionid=1",
                ";a=b;c=d",
                "/;",
                "/;a=b",
                "?",
                "?x=1",
                "?;",
                "#",
                "#x",
                "%20",
                "%09",
                "%00",
                "%0a",
                "%0d%0aX-A:b",
                "%2f",
                "%2F",
                "%5c",
                "\\",
                ".json",
                ".",
                "%2e",
                "%3b",
                "%3ba=b",
                "%3f",
                "%23",
                "%",
                "%6",
                "%zz",
                "%u0020",
                "*",
                "/*",
                "~",
                "+",
                "\u00a0")) {
            spellings.add(path + end);
        }
        for (String between : List.of(
                "//",
                "///",
                "/./",
                "/x/../",
                "/%2e/",
                "/x/%2e%2e/",
                "/.%2e/" + a + "/",
                "/../" + a + "/",
                "/..;/" + a + "/",
                ";/",
                ";x/",
                ";x=y/",
                ";x=/y/",
                "/;/",
                "/;x/",
                "%2f",
                "%2F",
                "/%2f",
                "%252f",
                "%5c",
                "\\",
                "/\\",
                "%3b/",
                "%00/",
                "/%00",
                "%09/",
                "%20/",
                "%c0%af",
                "%ef%bc%8f",
                "%e2%81%84",
                "%u002f",
                "%2f..%2f" + a + "%2f")) {
            spellings.add("/" + a + between + b);
        }
        for (String start : List.of(
                "//",
                "///",
                "/./",
                "/../",
                "/x/../",
                "/%2e/",
                "/%2e%2e/",
                "/;/",
                "/;x=y/",
                "/.;/",
                "/..;/",
                "\\",
                "/\\",
                "/%5c",
                "/%2f",
                "",
                "http://localhost/",
                "HTTP://localhost/",
                "http://localhost//",
                "http://localhost/x/../",
                "http://other.example/")) {
            spellings.add(start + a + "/" + b);
        }
        spellings.add("/" + escaped(a) + "/" + b);
        spellings.add("/" + a + "/" + escaped(b));
        spellings.add("/" + escaped(a) + "/" + escaped(b));
        spellings.add("/" + escaped(a).toUpperCase(Locale.ROOT) + "/" + b);
        spellings.add("/" + escaped(a).replace("%", "%25") + "/" + b);
        spellings.add("/" + a + "/" + escaped(b).replace("%", "%25"));
        spellings.add("/" + a.toUpperCase(Locale.ROOT) + "/" + b);
        spellings.add("/" + a + "/" + b.toUpperCase(Locale.ROOT));
        spellings.add("/" + a.substring(0, 1).toUpperCase(Locale.ROOT) + a.substring(1) + "/" + b);
        spellings.add("/" + overlong(a) + "/" + b);
        spellings.add("/" + fullWidth(a) + "/" + b);
        spellings.add("/" + a + "/" + fullWidth(b));
        spellings.add("/%u00" + Integer.toHexString(a.charAt(0)) + a.substring(1) + "/" + b);
        spellings.add("/" + a + "\u00ad/" + b);
        spellings.remove(path);
        return new ArrayList<>(spellings);
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> escaped.append('%').append(Integer.toHexString(c)));
        return escaped.toString();
    }

    /** In two bytes where one is due, as careless decoders accept it. */
    private static String overlong(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> escaped.append("%%%02x%%%02x".formatted(0xc0 | c >>> 6, 0x80 | (c & 0x3f))));
        return escaped.toString();
    }

    /** U+FF41 and following, in UTF-8, which some systems fold into plain letters. */
    private static String fullWidth(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            int wide = 0xff41 + c - 'a';
            escaped.append("%%%02x%%%02x%%%02x"
                    .formatted(0xe0 | wide >>> 12, 0x80 | (wide >>> 6 & 0x3f), 0x80 | (wide & 0x3f)));
        });
        return escaped.toString();
    }
}
