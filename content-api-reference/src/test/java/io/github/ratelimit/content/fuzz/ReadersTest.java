package io.github.ratelimit.content.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestTarget;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.KnownItems;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.jsoup.Jsoup;
import org.springframework.mock.web.MockHttpServletRequest;

/**
 * Whatever reads strangers' texts ends with a value or a rejection, and takes work in proportion to their length. The seed of a
 * failure is printed, and the piece belongs among the seeds of {@link Pieces} then.
 */
final class ReadersTest {
    private static final int TRIES = 25;
    private static final Pictures PICTURES = new Pictures();

    private static final long MOST_FOR_A_HEADER = 4 << 20;

    private static final Map<String, Consumer<String>> READERS = new LinkedHashMap<>();

    static {
        READERS.put("JSON", text -> rejecting(() -> RestJson.read(utf8(text))));
        READERS.put("JSON within", text -> rejecting(() -> RestJson.read(utf8("{\"a\":[" + text))));
        READERS.put("path of a batch", text -> rejecting(() -> RestTarget.of("/cms/v2/posts" + text)));
        READERS.put("address of a batch", text -> rejecting(() -> RestTarget.of(text)));
        READERS.put("slug", Slugs::of);
        READERS.put("without accents", Slugs::withoutAccents);
        READERS.put("file name", FileNames::clean);
        READERS.put("content without the right to HTML", HtmlPolicy::cleanContent);
        READERS.put("title without the right to HTML", HtmlPolicy::cleanTitle);
        READERS.put("one line", SingleLine::of);
        READERS.put("title", Rendering::title);
        READERS.put("content", text -> Rendering.content(text, KnownItems.NONE, text));
        READERS.put("excerpt", text -> Rendering.excerpt("", text, KnownItems.NONE));
        READERS.put("plain text", Rendering::plainText);
        READERS.put("small letters", Letters::lower);
        READERS.put("date", text -> SiteDates.parse(text, ZoneOffset.UTC));
        READERS.put("X-Forwarded-For", text -> forwarded("X-Forwarded-For", text));
        READERS.put("Forwarded", text -> forwarded("Forwarded", text));
    }

    /** As behind any number of proxies that are trusted, so that no hop ends the reading. */
    private static Optional<String> forwarded(String field, String text) {
        var request = new MockHttpServletRequest("GET", "/");
        request.setRemoteAddr("192.0.2.1");
        request.addHeader(field, text);
        return ClientAddress.of(
                        List.of("0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"), ClientAddress.DEFAULT_IPV6_PREFIX)
                .address(ServletCall.of(request));
    }

    @Example
    void forwardingFieldsAreRead() {
        assertThat(forwarded("X-Forwarded-For", "198.51.100.7, 203.0.113.9")).contains("198.51.100.7");
        assertThat(forwarded("Forwarded", "for=198.51.100.7, for=203.0.113.9")).contains("198.51.100.7");
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void everyTextIsReadInProportionToItsLength(@ForAll("pieces") List<String> pieces) {
        for (String piece : pieces) {
            READERS.forEach((name, reader) -> Growth.assertLinear(name, piece, reader));
        }
    }

    @Example
    void whatWasOnceDearIsNotAgain() {
        Pieces.seeds().forEach(piece -> READERS.forEach((name, reader) -> Growth.assertLinear(name, piece, reader)));
    }

    @Example
    void workThatGrowsWithTheSquareIsFound() {
        Consumer<String> square = text -> {
            for (int i = 0; i < text.length(); i++) {
                assertThat(text.substring(i).indexOf('b')).isNegative();
            }
        };

        assertThatThrownBy(() -> Growth.assertLinear("a", square)).isInstanceOf(AssertionError.class);
    }

    /** What the policy lets through is the same to a reader that was written by others. */
    @Property(tries = 300)
    void whatThePolicyLeavesHoldsNothingThatRuns(@ForAll("pieces") List<String> pieces) {
        String cleaned = HtmlPolicy.cleanContent(String.join("<a ", pieces) + String.join("<svg/onload=x>", pieces));

        var parsed = Jsoup.parseBodyFragment(cleaned);
        assertThat(parsed.select("script, svg, math, iframe, object, embed, style, form, base, meta, link"))
                .isEmpty();
        parsed.getAllElements()
                .forEach(element -> element.attributes()
                        .forEach(attribute ->
                                assertThat(attribute.getKey()).as(cleaned).doesNotStartWith("on")));
    }

    /** A picture with any bytes changed is a picture, or rejected. */
    @Property(tries = 200)
    void aDamagedPictureIsReadOrRejected(
            @ForAll("formats") ImageFormat format, @ForAll("places") List<Integer> places, @ForAll byte with)
            throws IOException {
        byte[] picture =
                PictureFiles.encoded(PictureFiles.quarters(16, 8), format.name().toLowerCase(Locale.ROOT));
        for (int place : places) {
            picture[place % picture.length] = with;
        }
        Path file = Files.createTempFile("damaged", ".bin");
        try {
            Files.write(file, picture);
            // A header may say that as much follows as it likes: what is not there takes no memory.
            assertThat(Growth.allocated(() -> readHeader(file, format))).isLessThan(MOST_FOR_A_HEADER);
        } finally {
            Files.delete(file);
        }
    }

    private static void readHeader(Path file, ImageFormat format) {
        try {
            PICTURES.inspect(file, format);
        } catch (UnusableImageException rejected) {
            assertThat(rejected.getMessage()).isNotEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Provide
    Arbitrary<List<String>> pieces() {
        return Pieces.some();
    }

    @Provide
    Arbitrary<ImageFormat> formats() {
        return Arbitraries.of(ImageFormat.values());
    }

    @Provide
    Arbitrary<List<Integer>> places() {
        return Arbitraries.integers().between(4, 600).list().ofMinSize(1).ofMaxSize(5);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Reading {
        void run() throws IOException;
    }

    /** An error that a client is told is an answer. */
    private static void rejecting(Reading reading) {
        try {
            reading.run();
        } catch (RestError rejected) {
            assertThat(rejected.status()).isBetween(400, 499);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
