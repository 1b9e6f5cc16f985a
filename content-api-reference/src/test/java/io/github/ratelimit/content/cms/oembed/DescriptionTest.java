package io.github.ratelimit.content.cms.oembed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class DescriptionTest {

    private static final String PAGE = "https://video.test/watch/1";

    @Test
    void rebuildsTheFrameOfAVideo() {
        ObjectNode built = rebuild("""
                {"version": "1.0", "type": "video", "title": "A <b>film</b> &amp; more", "width": 640, "height": "360",
                 "provider_name": "Video", "provider_url": "https://video.test/", "author_url": "javascript:alert(1)",
                 "thumbnail_url": "//video.test/t.jpg", "cache_age": 1, "evil": "x",
                 "html": "<script>alert(1)</script><iframe src='https://video.test/embed/1' onload='alert(2)' srcdoc='x'></iframe>"}
                """, true).orElseThrow();

        assertThat(built.path("title").asString()).isEqualTo("A film & more");
        assertThat(built.path("height").intValue()).isEqualTo(360);
        assertThat(built.path("thumbnail_url").asString()).isEqualTo("https://video.test/t.jpg");
        assertThat(built.has("author_url")).isFalse();
        assertThat(built.has("evil")).isFalse();
        Element frame =
                Jsoup.parseBodyFragment(built.path("html").asString()).body().child(0);
        assertThat(frame.normalName()).isEqualTo("iframe");
        assertThat(frame.attr("src")).isEqualTo("https://video.test/embed/1");
        assertThat(frame.attr("sandbox")).contains("allow-scripts");
        assertThat(frame.hasAttr("onload")).isFalse();
        assertThat(frame.hasAttr("srcdoc")).isFalse();
        assertThat(frame.siblingElements()).isEmpty();
    }

    @Test
    void foreignFramesGetNoOriginAndNoneShowsThisSite() {
        String html = "<iframe src='https://elsewhere.test/1'></iframe>";
        ObjectNode foreign = rebuild("{\"type\": \"rich\", \"html\": \"" + html + "\"}", false)
                .orElseThrow();
        assertThat(foreign.path("html").asString()).contains("sandbox").doesNotContain("allow-same-origin");

        ObjectNode own = rebuild("{\"type\": \"rich\", \"html\": \"<iframe src='https://site.test/admin'>\"}", true)
                .orElseThrow();
        assertThat(own.path("html").asString()).doesNotContain("iframe").contains(PAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "\"text\"",
                "{}",
                "{\"type\": \"script\"}",
                "{\"type\": \"photo\"}",
                "{\"type\": [\"rich\"]}",
                "{\"type\": \"photo\", \"url\": \"javascript:alert(1)\"}",
                "{\"type\": \"photo\", \"url\": \"data:image/png,x\"}"
            })
    void saysNothingWhereNothingCanBeShown(String said) {
        assertThat(rebuild(said, true)).isEmpty();
    }

    /** Who reads XML makes a line feed of each other end of a line; what cannot be written at all is left out. */
    @Test
    void writesXmlThatIsReadAsItWasMeant() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("title", "a\rb\r\nc\n\td\r");
        tree.put("signs", "\u0001\ufffe\u0085\u2028\ud83d\ude00]]>&#13;<&\"'");

        Document read = Jsoup.parse(XmlDescription.write(tree), Parser.xmlParser());
        assertThat(read.expectFirst("title").wholeText()).isEqualTo("a\rb\r\nc\n\td\r");
        assertThat(read.expectFirst("signs").wholeText()).isEqualTo("\u0085\u2028\ud83d\ude00]]>&#13;<&\"'");
    }

    @ParameterizedTest
    @CsvSource({
        "https://www.youtube.com/watch?v=abc, YouTube",
        "https://youtu.be/abc, YouTube",
        "https://vimeo.com/1, Vimeo",
        "https://open.spotify.com/track/1, Spotify",
        "https://www.youtube.com.evil.test/watch?v=1,",
        "https://evil.test/https://youtu.be/abc,",
        "https://evil.test/?u=https://vimeo.com/1,"
    })
    void knowsServicesByTheirAddresses(String address, String name) {
        assertThat(Providers.load().of(address).map(Providers.Provider::name)).isEqualTo(Optional.ofNullable(name));
    }

    @Test
    void everyServiceIsAskedOverTls() {
        assertThat(Providers.load().all())
                .isNotEmpty()
                .allSatisfy(provider -> assertThat(provider.endpoint()).startsWith("https://"));
    }

    private static Optional<ObjectNode> rebuild(String said, boolean isKnown) {
        return Description.rebuild(JsonMapper.shared().readTree(said), PAGE, isKnown, "site.test");
    }
}
