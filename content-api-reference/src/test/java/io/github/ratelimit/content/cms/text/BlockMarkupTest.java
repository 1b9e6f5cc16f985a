package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: what a change of an item stores of the comments that part its blocks. */
class BlockMarkupTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a <!-- b --> c | a <!-- b --> c",
                "<!-- wp:p --><p>a</p><!-- /wp:p --> | <!-- wp:p --><p>a</p><!-- /wp:p -->",
                "a<!-- wp:core/p {\"b\": 1.0, \"c\":{}, \"d\":[ ]} -->d<!-- /wp:core/p -->e | a<!-- wp:p {\"b\":1.0,\"c\":[],\"d\":[]} -->d<!-- /wp:p -->e",
                "<!-- wp:a/b --><!-- /wp:a/b --> | <!-- wp:a/b /-->",
                "<!-- wp:p {no} /-->a<!-- wp:q {} /--> | <!-- wp:p /-->a<!-- wp:q /-->",
                "<!-- wp:p {\"a\":\"<b> & -- \\\" \\\\ é\"} /--> | <!-- wp:p {\"a\":\"\\u003cb\\u003e \\u0026 \\u002d\\u002d \\u0022 \\u005c é\"} /-->",
                "<!-- wp:p -->a<!-- wp:q /-->b<!-- wp:r -->c<!-- /wp:x -->d<!-- /wp:y -->e | <!-- wp:p -->a<!-- wp:q /-->b<!-- wp:r -->c<!-- /wp:r -->d<!-- /wp:p -->e",
                // A block that is never closed ends where the text does; what closes no block goes away.
                "a<!-- wp:p -->b | a<!-- wp:p -->b<!-- /wp:p -->",
                "<!-- /wp:p -->a | a",
                "<!-- a <!-- wp:core/p --><!-- /wp:p --> | <!-- a <!-- wp:p /-->",
                "<!-- wp:p {\"a\": 1} -->b<!-- wp:q -->c | <!-- wp:p {\"a\":1} -->b<!-- wp:q -->c<!-- /wp:q --><!-- /wp:p -->",
            })
    void blocksAreSpelledInOneWay(String sent, String stored) {
        String kept = BlockMarkup.stored(sent);

        assertThat(kept).isEqualTo(stored);
        assertThat(BlockMarkup.stored(kept)).isEqualTo(stored);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<!-- wp:p {\"style\":{\"css\":\"color:red\"}} -->a<!-- /wp:p --> | <!-- wp:p -->a<!-- /wp:p -->",
                "<!-- wp:p {\"a\":1,\"style\":{\"b\":{},\"css\":\"x\",\"c\":2},\"d\":3} /--> | <!-- wp:p {\"a\":1,\"style\":{\"b\":[],\"c\":2},\"d\":3} /-->",
                "<!-- wp:p {\"style\":{},\"css\":\"x\"} /--> | <!-- wp:p {\"style\":[],\"css\":\"x\"} /-->",
                "<!-- wp:p --><!-- wp:q {\"style\":{\"css\":[1]}} /--><!-- /wp:p --> | <!-- wp:p --><!-- wp:q /--><!-- /wp:p -->",
                "<!-- wp:p {\"a\":[{\"b\":{\"style\":{\"css\":\"x\"}}}]} /--> | <!-- wp:p {\"a\":[{\"b\":[]}]} /-->",
                // In another spelling, under a name that becomes this one, in a comment that only browsers end.
                "<!-- wp:p {\"st\\u0079le\":{\"c<u-x>ss\":\"x\",\"css\":\"y\"}} /--> | <!-- wp:p /-->",
                "<!-- wp:p {\"style\":{\"css\":\"x\"}} --!>a | <!-- wp:p -->a<!-- /wp:p -->",
                "<!-- wp:p {\"style\":{\"css\":\"<!-- /wp:q -->\"}} --> | <!-- wp:p /-->",
                "<!-- a <!-- wp:p {\"style\":{\"css\":\"x\"}} /--> | <!-- a &lt;!-- wp:p /-->",
            })
    void blocksOfUntrustedCallersBringNoStyleSheets(String sent, String kept) {
        assertThat(HtmlPolicy.cleanContent(sent)).isEqualTo(kept);
        assertThat(BlockMarkup.stored(HtmlPolicy.cleanContent(sent))).isEqualTo(kept);
    }

    @Test
    void whatACommentSaysIsFilteredToo() {
        assertThat(HtmlPolicy.cleanContent(
                        "<!-- wp:core/p {\"a\":[\"\\u003cb onclick=x\\u003eb \\u0026\\u003cscript\\u003e\",1]} -->"
                                + "<p onclick=\"x\">c</p><!-- /wp:p -->"))
                .isEqualTo("<!-- wp:p {\"a\":[\"\\u003cb\\u003eb \\u0026amp;\",1]} --><p>c</p><!-- /wp:p -->");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!-- wp:p -->",
                "<!-- /wp:p -->",
                "<!-- wp:p /-->",
                "<!-- wp:p {\"a\":1} --><!-- /wp:p -->",
                "<!-- wp:p {",
                "<!-- <!-- -->",
            })
    void noContentTakesLongerThanItsLengthExplains(String piece) {
        String content = piece.repeat((1 << 20) / piece.length());

        CpuTime.assertWithin(Duration.ofSeconds(3), piece, () -> {
            BlockMarkup.stored(content);
            BlockMarkup.stored("<!-- wp:p -->" + content + "-->");
        });
    }
}
