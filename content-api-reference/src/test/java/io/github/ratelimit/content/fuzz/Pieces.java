package io.github.ratelimit.content.fuzz;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** What strangers' texts are made of: the marks that some reader looks for, in any order. */
public final class Pieces {

    /** Pieces that were once dear, or that no reader may take for something else. They are tried every time. */
    private static final List<String> SEEDS = List.of("""
            <?␣<a ␣\u0301␣a\u0301␣\u0130␣<\u0130␣\ufb03␣&␣&#␣&amp␣[caption␣[x ␣<!-- wp:x -->␣<!--␣-->␣'"␣{"a":␣[␣\
            [[␣]␣\\u␣a[b]␣a[]=&␣%␣%41␣%25␣+␣a,␣, ␣http://a/ ␣:)␣..␣.php.␣-2␣\n\n␣\r␣\u0000␣\ud800␣\ufeff␣/␣//␣#␣?␣\
            0␣9.␣e9␣=␣;␣<p>␣</p>␣<pre>␣</␣<![CDATA[␣style="a:b;␣javascript:␣&colon;␣data-a=␣\t␣ ␣a␣Z""".split("␣", -1));

    private Pieces() {}

    /** Returns lists of pieces: of the usual build one, of the long one thirty. */
    public static Arbitrary<List<String>> some() {
        Arbitrary<String> seed = Arbitraries.of(SEEDS);
        Arbitrary<String> mixed = seed.list().ofMinSize(1).ofMaxSize(6).map(parts -> String.join("", parts));
        Arbitrary<String> any = Arbitraries.strings().all().ofMinLength(1).ofMaxLength(8);
        return Arbitraries.frequencyOf(Tuple.of(2, seed), Tuple.of(6, mixed), Tuple.of(1, any))
                .list()
                .ofSize(Boolean.getBoolean("full") ? 30 : 1);
    }

    /** Returns those that are tried every time. */
    public static List<String> seeds() {
        return SEEDS;
    }
}
