package io.github.ratelimit.content.cms.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Characters that HTML spells by a name or a number: {@code &} and {@code ;} around a word, or a number with {@code #}. Pure. */
public final class References {
    /** Names that have been known as long as HTML 4; newer ones are text. */
    private static final Set<String> NAMES = Set.of("""
            Aacute aacute Acirc acirc acute AElig aelig Agrave agrave alefsym Alpha alpha amp and ang apos Aring
            aring asymp Atilde atilde Auml auml bdquo Beta beta brvbar bull cap Ccedil ccedil cedil cent Chi chi
            circ clubs cong copy crarr cup curren Dagger dagger dArr darr deg Delta delta diams divide Eacute
            eacute Ecirc ecirc Egrave egrave empty emsp ensp Epsilon epsilon equiv Eta eta ETH eth Euml euml
            euro exist fnof forall frac12 frac14 frac34 frasl Gamma gamma ge gt hArr harr hearts hellip Iacute
            iacute Icirc icirc iexcl Igrave igrave image infin int Iota iota iquest isin Iuml iuml Kappa kappa
            Lambda lambda lang laquo lArr larr lceil ldquo le lfloor lowast loz lrm lsaquo lsquo lt macr mdash
            micro middot minus Mu mu nabla nbsp ndash ne ni not notin nsub Ntilde ntilde Nu nu Oacute oacute
            Ocirc ocirc OElig oelig Ograve ograve oline Omega omega Omicron omicron oplus or ordf ordm Oslash
            oslash Otilde otilde otimes Ouml ouml para part permil perp Phi phi Pi pi piv plusmn pound Prime
            prime prod prop Psi psi quot radic rang raquo rArr rarr rceil rdquo real reg rfloor Rho rho rlm
            rsaquo rsquo sbquo Scaron scaron sdot sect shy Sigma sigma sigmaf sim spades sub sube sum sup sup1
            sup2 sup3 supe szlig Tau tau there4 Theta theta thetasym thinsp THORN thorn tilde times trade Uacute
            uacute uArr uarr Ucirc ucirc Ugrave ugrave uml upsih Upsilon upsilon Uuml uuml weierp Xi xi Yacute
            yacute yen Yuml yuml Zeta zeta zwj zwnj
            """.split("\\s+"));

    private static final String AMPERSAND = "&amp;";

    private static final Pattern REFERENCE =
            Pattern.compile("&(?:#(?:([0-9]++)|[xX]([0-9a-fA-F]++));|([a-zA-Z]{2,8}+[0-9]{0,2}+);)?+");

    private static final Pattern LOOSE = Pattern.compile("&([^#])(?![a-z1-4]{1,8};)", Pattern.CASE_INSENSITIVE);

    private static final Pattern CONTROL = Pattern.compile("&#1[2-5][0-9];");
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    private References() {}

    /**
     * Spells all references in one way, and each ampersand that begins none as one.
     *
     * @param html any text
     * @return numbers have three digits at least and no needless zeros
     */
    static String normalized(String html) {
        int ampersand = html.indexOf('&');
        if (ampersand < 0) {
            return html;
        }
        StringBuilder normalized = new StringBuilder(roomFor(html));
        Matcher reference = REFERENCE.matcher(html);
        int copied = 0;
        for (; ampersand >= 0; ampersand = html.indexOf('&', copied)) {
            normalized.append(html, copied, ampersand);
            char next = ampersand + 1 < html.length() ? html.charAt(ampersand + 1) : ' ';
            if (next == '#' || isLetter(next)) {
                reference.region(ampersand, html.length()).lookingAt();
                normalized.append(normalized(reference));
                copied = reference.end();
            } else {
                normalized.append(AMPERSAND);
                copied = ampersand + 1;
            }
        }
        return normalized.append(html, copied, html.length()).toString();
    }

    /** A text of nothing but ampersands becomes five times as long: a buffer that has to grow is copied again and again. */
    private static int roomFor(String html) {
        int room = html.length();
        for (int at = html.indexOf('&'); at >= 0; at = html.indexOf('&', at + 1)) {
            room += AMPERSAND.length() - 1;
        }
        return room;
    }

    private static boolean isLetter(char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
    }

    private static String normalized(MatchResult found) {
        String whole = found.group();
        String number = found.group(1) == null ? found.group(2) : found.group(1);
        if (number == null) {
            return found.group(3) != null && NAMES.contains(found.group(3)) ? whole : AMPERSAND + whole.substring(1);
        }
        boolean isDecimal = found.group(1) != null;
        String digits = number.replaceFirst("^0+", "");
        if (!isCharacter(digits, isDecimal)) {
            return AMPERSAND + "#" + (isDecimal ? "" : "x") + number + ";";
        }
        return isDecimal ? "&#" + "0".repeat(Math.max(0, 3 - digits.length())) + digits + ";" : "&#x" + digits + ";";
    }

    private static boolean isCharacter(String digits, boolean isDecimal) {
        if (digits.isEmpty() || digits.length() > (isDecimal ? 7 : 6)) {
            return false;
        }
        int point = Integer.parseInt(digits, isDecimal ? 10 : 16);
        return point >= 0x20
                ? Character.isValidCodePoint(point)
                        && !(point >= 0xd800 && point <= 0xdfff)
                        && point != 0xfffe
                        && point != 0xffff
                : point == '\t' || point == '\n' || point == '\r';
    }

    /**
     * Spells ampersands that begin no reference as one, where marks were left alone too.
     *
     * @param html rendered
     * @return the same, changed only there
     */
    static String withoutLooseAmpersands(String html) {
        return html.indexOf('&') < 0 ? html : LOOSE.matcher(html).replaceAll("&#038;$1");
    }

    /**
     * Writes the characters that are meant where old programs wrote the numbers that these have under Windows.
     *
     * @param html any text
     * @return without references to control characters; those that stand for nothing go away
     */
    public static String repaired(String html) {
        return html.contains("&#1") ? CONTROL.matcher(html).replaceAll(References::repaired) : html;
    }

    private static String repaired(MatchResult found) {
        int number = Integer.parseInt(found.group().substring(2, 5));
        if (number < 0x80) {
            return found.group();
        }
        CharBuffer meant = WINDOWS.decode(ByteBuffer.wrap(new byte[] {(byte) number}));
        int point = meant.get(0);
        return point == 0xfffd || point < 0x100 ? "" : String.format(Locale.ROOT, "&#%d;", point);
    }

    /**
     * Spells a text as the value of an attribute.
     *
     * @param text any text
     * @return without brackets and quotation marks
     */
    static String encoded(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&apos;")
                .replace("\"", "&quot;");
    }
}
