package io.github.ratelimit.content.cms.text;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Character references of HTML, which spell a character by a name or a number. */
public final class References {
    private static final Pattern CONTROL = Pattern.compile("&#1[2-5][0-9];");
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    private References() {}

    /**
     * Replaces references to control characters, which old programs wrote for characters of Windows.
     *
     * @param html any text
     * @return with references to the characters of Windows; those without such a character are removed
     */
    public static String repaired(String html) {
        return html.contains("&#1") ? CONTROL.matcher(html).replaceAll(References::repaired) : html;
    }

    private static String repaired(MatchResult found) {
        int number = Integer.parseInt(found.group().substring(2, 5));
        if (number < 0x80) {
            return found.group();
        }
        int meant = WINDOWS.decode(ByteBuffer.wrap(new byte[] {(byte) number})).get(0);
        return meant == 0xfffd || meant < 0x100 ? "" : "&#" + meant + ";";
    }

    /**
     * Spells a text as the value of an attribute.
     *
     * @param text any text
     * @return without brackets and quotation marks
     */
    public static String encoded(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&apos;")
                .replace("\"", "&quot;");
    }
}
