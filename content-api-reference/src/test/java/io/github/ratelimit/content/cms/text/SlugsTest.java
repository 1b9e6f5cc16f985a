package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.CpuTime;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule: BEHAVIOUR section 4, slug. */
class SlugsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Only a title | only-a-title",
                "Some Slug! | some-slug",
                "A <b>bold</b> & <script>x</script> \"title\" | a-bold-x-title",
                "Café crème à la Ångström | cafe-creme-a-la-angstrom",
                "Əǝ ə | ee-%c9%99",
                "Straße und Œuvre, Łódź, Þór | strase-und-oeuvre-lodz-thor",
                "日本 | %e6%97%a5%e6%9c%ac",
                "Привет Мир | %d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80",
                "%E6%97%A5 | %e6%97%a5",
                "100% sure | 100-sure",
                "a.b/c | a-b-c",
                "one – two — three | one-two-three",
                "it’s “quoted” | its-quoted",
                "9 × 5 | 9-x-5",
                "Fish &amp; Chips | fish-chips",
                "--a---b-- | a-b",
                "snake_case | snake_case",
                "tab\there | tabhere",
                "ǅ ǵ ǿ ẞ | %c7%86-%c7%b5-%c7%bf-%c3%9f",
                "Țară și ľudia | tara-si-ludia",
                "Nǚ ơn tiếng Việt | nu-on-tieng-viet",
                "E\u0301te\u0301 | ete",
                "one&nbsp;two &#8211; three&mdash;four | one-two-three-four",
                "one\u2009two\u202fthree\u3000four | one-two-three%e3%80%80four",
                "minus − dagger † | minus-%e2%88%92-dagger-%e2%80%a0",
                "%E2%80%93a%e2%80%99b | ab",
                "5% of £3 €2 | 5-of-3-e2",
            })
    void slugIsMadeOfTheLettersOfATitle(String title, String slug) {
        assertThat(Slugs.of(title)).isEqualTo(slug);
    }

    @Test
    void nothingIsLeftOfMarks() {
        assertThat(Slugs.of("!?")).isEmpty();
        assertThat(Slugs.of("")).isEmpty();
    }

    @Test
    void slugEndsBeforeACharacterThatDoesNotFit() {
        assertThat(Slugs.of("a".repeat(300))).hasSize(200);
        // What is left out later counts, too.
        assertThat(Slugs.of("ab, ".repeat(100))).isEqualTo("ab-".repeat(50).substring(0, 149));
        assertThat(Slugs.of("日".repeat(100))).hasSize(198).endsWith("%e6%97%a5");
    }

    @Test
    void numberedSlugFits() {
        assertThat(Slugs.numbered("same-name", 2)).isEqualTo("same-name-2");
        assertThat(Slugs.numbered("a".repeat(200), 10)).hasSize(200).endsWith("a-10");
        assertThat(Slugs.numbered("%e6%97%a5".repeat(22), 2)).isEqualTo("%e6%97%a5".repeat(22) + "-2");
        assertThat(Slugs.numbered("a" + "%e6%97%a5".repeat(22), 100)).isEqualTo("a" + "%e6%97%a5".repeat(21) + "-100");
    }

    @Property(tries = 500)
    void slugOfASlugIsTheSlug(@ForAll @StringLength(max = 300) String title) {
        String slug = Slugs.of(title);

        assertThat(Slugs.of(slug)).isEqualTo(slug);
        assertThat(slug).matches("(?:[a-z0-9_-]|%[0-9a-f]{2})*").hasSizeLessThanOrEqualTo(Slugs.MAX_LENGTH);
    }

    @Test
    void manyMarksAreNormalisedInPiecesAndFewAsEver() {
        for (String few :
                List.of("a\u0301\u0323b", "e" + "\u0323\u0301".repeat(14), "\u1100\u1161", "\ud83d\ude00", "")) {
            for (Normalizer.Form form : Normalizer.Form.values()) {
                assertThat(Letters.normalized(few, form)).isEqualTo(Normalizer.normalize(few, form));
            }
        }
        String many = "a" + "\u0301\u0323".repeat(500_000);

        CpuTime.assertWithin(Duration.ofSeconds(10), "many marks", () -> {
            String composed = Letters.normalized(many, Normalizer.Form.NFC);
            assertThat(Normalizer.normalize(composed.substring(0, 60), Normalizer.Form.NFD))
                    .startsWith("a\u0323");
            assertThat(Slugs.of(many)).hasSizeLessThanOrEqualTo(200);
            assertThat(Slugs.withoutAccents(many)).isEqualTo("a");
        });
    }
}
