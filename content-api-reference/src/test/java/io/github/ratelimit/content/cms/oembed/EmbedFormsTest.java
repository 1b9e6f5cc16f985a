package io.github.ratelimit.content.cms.oembed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.net.URI;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The forms that a description of an own item has, beyond what is recorded. */
@OnDatabase(Database.H2)
class EmbedFormsTest {
    private final SiteClient site;
    private final String alpha;

    EmbedFormsTest(SeededServer server) {
        site = server.site();
        alpha = site.base() + "/?p=" + server.content().id("posts.alpha");
    }

    @Test
    void xmlHasTheMembersThatAreSelected() {
        Document xml = xml(200, embed("format=xml&_fields=title,width&url=" + alpha));

        assertThat(xml.select("oembed > *").eachText()).containsExactly("Alpha opening", "600");
    }

    @Test
    void xmlIsPutIntoTheEnvelopeThatIsAskedFor() {
        Document xml = xml(200, embed("format=xml&_envelope=1&url=" + alpha));

        assertThat(xml.select("oembed > body > title").text()).isEqualTo("Alpha opening");
        assertThat(xml.select("oembed > status").text()).isEqualTo("200");
        assertThat(xml.select("oembed > headers > Allow").text()).isEqualTo("GET");
    }

    @Test
    void everyErrorIsXmlWhereThatIsAskedFor() {
        Document missing = xml(400, embed("format=xml"));
        assertThat(missing.select("oembed > code").text()).isEqualTo("rest_missing_callback_param");
        assertThat(missing.select("oembed > data > params > oembed").text()).isEqualTo("url");

        Document wrong = xml(400, embed("format=xml&url[]=" + alpha));
        assertThat(wrong.select("oembed > data > details > url > code").text()).isEqualTo("rest_invalid_type");

        Document unknown = xml(404, embed("format=xml&url=http://elsewhere.test/"));
        assertThat(unknown.select("oembed > data > status").text()).isEqualTo("404");
    }

    @ParameterizedTest
    @CsvSource({
        "https://HOST/?p=ID, 200",
        "HTTP://www.HOST:81?p=ID, 200",
        "//www.HOST/?p=ID|{}#x, 200",
        "HOST/?x=1&p=ID, 200",
        "/?p=ID, 404",
        "?p=ID, 404",
        "https://HOST.elsewhere.test/?p=ID, 404",
        "https://HOST@elsewhere.test/?p=ID, 404",
        "https://elsewhere.test/https://HOST/?p=ID, 404",
        "//elsewhere.test/?p=ID, 404",
        "www.www.HOST/?p=ID, 404",
        "javascript://HOST/?p=ID, 404",
        "https:///?p=ID, 404"
    })
    void theOwnAddressIsKnownByItsHost(String address, int status) {
        String url = address.replace("HOST", URI.create(alpha).getHost()).replace("ID", alpha.split("=", 2)[1]);

        assertThat(site.open("/index.php?rest_route=/oembed/1.0/embed&url=" + Query.encode(url))
                        .status())
                .isEqualTo(status);
    }

    @Test
    void filmIsDescribedAsOneWithThePictureThatStandsForIt() {
        JsonNode picture = site.get("/cms/v2/media?slug=seed-photo").json().path(0);
        Answer film = site.as("author")
                .call(
                        "POST",
                        "/cms/v2/media?featured_media=" + picture.path("id").asString())
                .file("film.mp4", "video/mp4", "\0\0\0\u0018ftypisom".getBytes(ISO_8859_1))
                .send();
        String id = film.text("/id");
        try {
            JsonNode described =
                    embed("url=" + site.base() + "/?attachment_id=" + id).json();

            assertThat(described.path("type").asString()).isEqualTo("video");
            assertThat(described.path("thumbnail_url").asString()).endsWith("/seed-photo-768x576.jpg");
        } finally {
            site.as("author").delete("/cms/v2/media/" + id + "?force=true");
        }
    }

    private Answer embed(String query) {
        return site.get("/oembed/1.0/embed?" + query);
    }

    private static Document xml(int status, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("text/xml");
        return Jsoup.parse(answer.text(), Parser.xmlParser());
    }
}
