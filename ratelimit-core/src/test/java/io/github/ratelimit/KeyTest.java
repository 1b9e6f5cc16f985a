package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class KeyTest {

    @Provide
    Arbitrary<List<Optional<String>>> parts() {
        // Few letters, among them those of the encoding itself, so that near misses are frequent.
        return Arbitraries.strings()
                .withChars("ab-:01|")
                .ofMaxLength(3)
                .optional()
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    private static Key key(List<Optional<String>> parts) {
        return parts.stream()
                .map(part -> part.map(Key::of).orElse(Key.absent()))
                .reduce(Key::and)
                .orElseThrow();
    }

    @Property
    void keysAreEqualExactlyIfTheirPartsAre(
            @ForAll("parts") List<Optional<String>> one, @ForAll("parts") List<Optional<String>> other) {
        Key left = key(one);
        Key right = key(other);
        boolean same = one.equals(other);
        assertThat(left.equals(right)).isEqualTo(same);
        assertThat(left.encoded().equals(right.encoded())).isEqualTo(same);
        if (same) {
            assertThat(left).hasSameHashCodeAs(right);
        }
    }

    @Test
    void absentOnlyIfEveryPartIs() {
        assertThat(Key.absent().isAbsent()).isTrue();
        assertThat(Key.absent().and(Key.absent()).isAbsent()).isTrue();
        assertThat(Key.of("").isAbsent()).isFalse();
        assertThat(Key.absent().and(Key.of("a")).isAbsent()).isFalse();
    }

    @Test
    void showsNothingOfItsParts() {
        assertThat(Key.of("203.0.113.7")).hasToString("Key[1 part]");
        assertThat(Key.of("203.0.113.7").and(Key.of("agent"))).hasToString("Key[2 parts]");
    }

    @Test
    void resolversCombine() {
        KeyResolver<String> text = request -> request.isEmpty() ? Key.absent() : Key.of(request);
        KeyResolver<String> length = request -> Key.of(Integer.toString(request.length()));

        assertThat(text.and(length).resolve("abc")).isEqualTo(Key.of("abc").and(Key.of("3")));
        assertThat(text.orElse(length).resolve("abc")).isEqualTo(Key.of("abc"));
        assertThat(text.orElse(length).resolve(""))
                .as("never mistaken for a text that says the same")
                .isEqualTo(Key.absent().and(Key.of("0")))
                .isNotEqualTo(Key.of("0"));
    }

    @Test
    void alternativesNeverShareAKey() {
        KeyResolver<List<String>> a = part(0);
        KeyResolver<List<String>> b = part(1);
        KeyResolver<List<String>> c = part(2);
        List<String> onlyB = List.of("", "203.0.113.7", "");
        List<String> onlyC = List.of("", "", "203.0.113.7");

        assertThat(a.orElse(b).orElse(c).resolve(onlyB))
                .isNotEqualTo(a.orElse(b).orElse(c).resolve(onlyC));
        assertThat(a.orElse(b.orElse(c)).resolve(onlyB))
                .isNotEqualTo(a.orElse(b.orElse(c)).resolve(onlyC));
        assertThat(a.and(b).orElse(c).resolve(onlyB))
                .isNotEqualTo(a.and(b).orElse(c).resolve(onlyC));
    }

    private static KeyResolver<List<String>> part(int index) {
        return parts -> parts.get(index).isEmpty() ? Key.absent() : Key.of(parts.get(index));
    }

    @Test
    void absentPartsHaveOneHash() {
        assertThat(Key.absent().and(Key.of("a"))).hasSameHashCodeAs(Key.absent().and(Key.of("a")));
        assertThat(Key.of("a").hashCode()).isEqualTo(31 * "a".hashCode() + 1);
        assertThat(Key.of("a").and(Key.of("b")).hashCode())
                .isNotEqualTo(Key.of("a").hashCode());
        assertThat(Key.of("a")).isNotEqualTo("a");
    }
}
