package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.KeyDigest.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyDigestTest {

    /** The authors' vectors are for the key 00 01 … 0f. */
    private final KeyDigest reference = new KeyDigest(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    @Test
    void agreesWithTheAuthorsVectors() {
        assertThat(hex(reference.sip().finish())).isEqualTo("a3817f04ba25a8e66df67214c7550293");
        assertThat(hex(reference.sip().add(0x0706050403020100L).finish()))
                .isEqualTo("3b62a9ba6258f5610f83e264f31497b4");
    }

    private static String hex(Digest digest) {
        ByteBuffer bytes = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(digest.high())
                .putLong(digest.low());
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void keysThatDifferHaveDigestsThatDiffer() {
        List<Key> keys = List.of(
                Key.absent(),
                Key.of(""),
                Key.of("\0"),
                Key.of("\0\0"),
                Key.of("a"),
                Key.of("ab"),
                Key.of("abc"),
                Key.of("abcd"),
                Key.of("abcde"),
                Key.of("abcdefgh"),
                Key.of("a").and(Key.of("b")),
                Key.of("ab").and(Key.of("")),
                Key.of("").and(Key.of("ab")),
                Key.of("a").and(Key.absent()),
                Key.absent().and(Key.of("a")));
        Set<Digest> digests = new HashSet<>();
        Set<String> texts = new HashSet<>();
        for (Key key : keys) {
            assertThat(digests.add(reference.of(key))).isTrue();
            assertThat(texts.add(reference.of(key).text())).isTrue();
        }
        assertThat(texts).allMatch(text -> text.length() == 16 && text.chars().allMatch(c -> c < 256));
    }

    @Test
    void eachProcessHasItsOwnSecret() {
        assertThat(KeyDigest.random().of(Key.of("a")))
                .isNotEqualTo(KeyDigest.random().of(Key.of("a")));
    }
}
