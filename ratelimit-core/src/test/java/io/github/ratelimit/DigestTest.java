package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.internal.memory.SipHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class DigestTest {

    /** The authors' vectors are for the key 00 01 … 0f. */
    private static final long SECRET_0 = 0x0706050403020100L;

    private static final long SECRET_1 = 0x0f0e0d0c0b0a0908L;

    private final Digest digests = new Digest(SECRET_0, SECRET_1);

    /**
     * SipHash, written down from its definition for any number of rounds: over bytes, one step after the other. What the library's is
     * held to; itself held to the authors' vectors for two and four rounds.
     */
    private static long[] reference(int compressionRounds, int finalRounds, byte[] message) {
        long[] v = {
            SECRET_0 ^ 0x736f6d6570736575L,
            SECRET_1 ^ 0x646f72616e646f6dL,
            SECRET_0 ^ 0x6c7967656e657261L,
            SECRET_1 ^ 0x7465646279746573L
        };
        byte[] padded = Arrays.copyOf(message, message.length / 8 * 8 + 8);
        padded[padded.length - 1] = (byte) message.length;
        ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            long word = words.getLong();
            v[3] ^= word;
            rounds(v, compressionRounds);
            v[0] ^= word;
        }
        v[2] ^= 0xff;
        rounds(v, finalRounds);
        return v;
    }

    private static String hex(long[] v) {
        ByteBuffer digest = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return HexFormat.of()
                .formatHex(digest.putLong(v[0] ^ v[1] ^ v[2] ^ v[3]).array());
    }

    private static void rounds(long[] v, int rounds) {
        for (int i = 0; i < rounds; i++) {
            mix(v, 0, 1, 13);
            v[0] = Long.rotateLeft(v[0], 32);
            mix(v, 2, 3, 16);
            mix(v, 0, 3, 21);
            mix(v, 2, 1, 17);
            v[2] = Long.rotateLeft(v[2], 32);
        }
    }

    private static void mix(long[] v, int sum, int other, int shift) {
        v[sum] += v[other];
        v[other] = Long.rotateLeft(v[other], shift) ^ v[sum];
    }

    /** The first bytes of the authors' messages: 00 01 02 … */
    private static byte[] counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** Rule: the table {@code vectors_sip64} of the authors' reference code, SipHash-2-4. */
    @Test
    void referenceAgreesWithTheAuthorsVectors() {
        assertThat(hex(reference(2, 4, counting(0)))).isEqualTo("310e0edd47db6f72");
        assertThat(hex(reference(2, 4, counting(1)))).isEqualTo("fd67dc93c539f874");
        assertThat(hex(reference(2, 4, counting(8)))).isEqualTo("6224939a79f5f593");
    }

    private static long reference(ByteBuffer message) {
        byte[] bytes = new byte[message.position()];
        message.get(0, bytes);
        long[] v = reference(1, 3, bytes);
        return v[0] ^ v[1] ^ v[2] ^ v[3];
    }

    private static ByteBuffer message(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Property
    void digestIsThatOfTheReferenceWithOneAndThreeRounds(@ForAll List<Long> words) {
        SipHash sip = new SipHash(SECRET_0, SECRET_1);
        ByteBuffer message = message(8 * words.size());
        for (Long word : words) {
            sip.add((long) word);
            message.putLong(word);
        }
        assertThat(sip.finish()).isEqualTo(reference(message));
    }

    @Property
    void textIsItsLengthAndFourCharactersAWord(@ForAll @StringLength(max = 40) String text) {
        SipHash sip = new SipHash(SECRET_0, SECRET_1);
        sip.add(text);
        ByteBuffer message = message(16 + 2 * text.length() + 8).putLong(text.length());
        int whole = text.length() / 4 * 4;
        text.substring(0, whole).chars().forEach(c -> message.putChar((char) c));
        long last = 0;
        for (char c : text.substring(whole).toCharArray()) {
            last = last << 16 | c;
        }
        message.putLong(last);
        assertThat(sip.finish()).isEqualTo(reference(message));
    }

    /** Few letters of one, two and three bytes, so that near misses are frequent; parts of all lengths about a word's. */
    @Property(tries = 5000)
    void keysThatDifferHaveDigestsThatDiffer(
            @ForAll("keys") List<Optional<String>> one, @ForAll("keys") List<Optional<String>> other) {
        assertThat(digest(key(one)) == digest(key(other))).isEqualTo(one.equals(other));
    }

    @Provide
    Arbitrary<List<Optional<String>>> keys() {
        Arbitrary<String> texts = Arbitraries.strings()
                .withChars('\0', 'a', '\u00ff', '\u0100', '\u6100')
                .ofMaxLength(18);
        return texts.optional().list().ofMinSize(1).ofMaxSize(3);
    }

    private static Key key(List<Optional<String>> parts) {
        return parts.stream()
                .map(part -> part.map(Key::of).orElse(Key.absent()))
                .reduce(Key::and)
                .orElseThrow();
    }

    private long digest(Charge charge) {
        return digests.of(charge);
    }

    private long digest(Key key) {
        return digest(new Charge("scope", Limit.of(1, Duration.ofSeconds(1)), key));
    }

    @Test
    void keysThatNearlyAgreeHaveDigestsThatDiffer() {
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
        Set<Long> texts = new HashSet<>();
        for (Key key : keys) {
            assertThat(texts.add(digest(key))).isTrue();
            assertThat(digest(key)).isEqualTo(digest(key));
        }
    }

    @Test
    void counterBelongsToLimiterLimitNameAndWindow() {
        Limit limit = Limit.of("burst", 5, Duration.ofSeconds(1));
        Charge charge = new Charge("scope", limit, Key.of("a"));
        assertThat(digest(new Charge("scope", Limit.of("burst", 6, Duration.ofSeconds(1)), Key.of("a"))))
                .as("not to its permits")
                .isEqualTo(digest(charge));
        assertThat(List.of(
                        digest(new Charge("other", limit, Key.of("a"))),
                        digest(new Charge("scope", Limit.of("other", 5, Duration.ofSeconds(1)), Key.of("a"))),
                        digest(new Charge("scope", Limit.of("burst", 5, Duration.ofSeconds(2)), Key.of("a"))),
                        digest(new Charge("scope", limit, Key.of("b")))))
                .doesNotContain(digest(charge))
                .doesNotHaveDuplicates();
    }

    @Test
    void eachStoreHasItsOwnSecret() {
        Charge charge = new Charge("scope", Limit.of(1, Duration.ofSeconds(1)), Key.of("a"));
        assertThat(Digest.random().of(charge)).isNotEqualTo(Digest.random().of(charge));
    }
}
