package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What no recording shows of the way that every request takes. Rule: BEHAVIOUR sections 1, 7, 8 and 12. */
@OnDatabase(Database.H2)
final class ProtocolTest {
    private static final Pattern NAME = Pattern.compile("\\{([a-z.]+)}");

    private final SiteClient site;
    private final SeededServer server;

    ProtocolTest(SeededServer server) {
        this.server = server;
        this.site = server.site();
    }

    /** Puts ids of the content in place of their names. */
    private String named(String text) {
        return NAME.matcher(text)
                .replaceAll(name ->
                        Matcher.quoteReplacement(Long.toString(server.content().id(name.group(1)))));
    }

    private SiteClient.Call call(String method, String behindRoute) {
        return site.callAddress(method, site.base() + "/index.php?rest_route=" + named(behindRoute));
    }

    private Answer get(String behindRoute) {
        return call("GET", behindRoute).send();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/cms/v2/posts/{posts.alpha}&_fields=slug.x | {\"slug\":\"alpha\"}",
                "/cms/v2/posts/{posts.alpha}&_fields=title.nothing | {\"title\":[]}",
                "/cms/v2/posts/{posts.alpha}&_fields=content.raw,slug | {\"slug\":\"alpha\",\"content\":[]}",
                "/cms/v2/posts/{posts.alpha}&_fields=type,title.x,title,slug | {\"slug\":\"alpha\",\"type\":\"post\",\"title\":{\"rendered\":\"Alpha opening\"}}",
                "/cms/v2/posts/{posts.alpha}&_fields=type,title,title.x,slug | {\"slug\":\"alpha\",\"type\":\"post\",\"title\":{\"rendered\":\"Alpha opening\"}}",
                "/cms/v2/posts/{posts.alpha}&_fields=slug,_embedded | {\"slug\":\"alpha\"}",
                "/cms/v2/posts/{posts.alpha}&_fields[]=id,slug | []",
                "/cms/v2/posts/{posts.alpha}&_fields[]=slug&_fields[]=type | {\"slug\":\"alpha\",\"type\":\"post\"}",
                "/cms/v2/posts/{posts.alpha}&_fields=,%20 | WHOLE",
                "/cms/v2/posts&per_page=1&_fields=nothing | [[]]",
                "/cms/v2/media/{media.photo}&_fields=media_details.width,description.rendered,caption.x | []",
                "/cms/v2/media/{media.photo}&_fields=slug.x,mime_type | {\"slug\":\"seed-photo\",\"mime_type\":\"image/jpeg\"}",
                "/cms/v2/types&_fields=post.name,post.rest_base | {\"post\":{\"name\":\"Posts\",\"rest_base\":\"posts\"}}",
                "/cms/v2/types/page&_fields=hierarchical,taxonomies | {\"hierarchical\":true,\"taxonomies\":[]}",
                "/cms/v2/comments&post={posts.alpha} | []",
                "/&_fields=namespaces.1,show_on_front | {\"show_on_front\":\"posts\",\"namespaces\":{\"1\":\"cache/v1\"}}",
                "/&_fields=namespaces.0,name.x | {\"name\":\"Example Site\",\"namespaces\":[\"oembed/1.0\"]}",
            })
    void fieldsSelectMembersOfMembers(String behindRoute, String expected) {
        JsonNode body = get(behindRoute).json();

        if (expected.equals("WHOLE")) {
            assertThat(body.size()).isGreaterThan(10);
        } else {
            assertThat(body).isEqualTo(Json.read(expected.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @ParameterizedTest
    @CsvSource({"'',true", "0,true", "1,true", "true,true", "author,true", "'x,author',true", "false,false", "2,false"})
    void embedNamesRelationsOrAllOfThem(String wanted, boolean isEmbedded) {
        JsonNode body = get("/cms/v2/posts/{posts.alpha}&_embed=" + Query.encode(wanted))
                .json();

        assertThat(body.path("_embedded").has("author")).isEqualTo(isEmbedded);
    }

    @ParameterizedTest
    @CsvSource({
        "post={posts.alpha},200",
        "post=999999,200",
        "post={posts.delta},401",
        "post={posts.alpha}%2C{posts.delta},401",
        "post={posts.hotel},401",
        "post={posts.hotel}&password=open-sesame,200",
        "post={posts.hotel}&password=guess,401"
    })
    void commentsOfWhatMayNotBeReadAreRejected(String query, int status) {
        Answer answer = get("/cms/v2/comments&" + query);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(status == 200 ? "" : "rest_cannot_read_post");
        assertThat(call("GET", "/cms/v2/comments&" + query).as("admin").send().text())
                .isEqualTo("[]");
    }

    @Test
    void theCommentsOfAGuardedItemAreEmbeddedAsTheirRejection() {
        JsonNode replies =
                get("/cms/v2/posts/{posts.hotel}&_embed=replies").json().at("/_embedded/replies");

        assertThat(replies.at("/0/code").asString("")).isEqualTo("rest_cannot_read_post");
        assertThat(get("/cms/v2/posts/{posts.alpha}&_embed=replies").json().has("_embedded"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,'',200,application/json,",
        "GET,show.it,200,application/javascript,/**/show.it(",
        "HEAD,show,200,application/javascript,",
        "GET,a-b,400,application/javascript,{",
        "HEAD,a-b,400,application/javascript,",
        "OPTIONS,show,200,application/javascript,/**/show("
    })
    void aWrapperIsWrittenOnlyForAName(String method, String name, int status, String type, String begin) {
        Answer answer = call(method, "/cms/v2/posts/{posts.alpha}&_fields=id&_jsonp=" + name)
                .send();

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo(type);
        assertThat(answer.text()).startsWith(begin == null ? "" : begin);
        assertThat(answer.text()).doesNotContain("\"data\"");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,X-HTTP-Method-Override,HEAD,200,true",
        "GET,X-HTTP-Method-Override,options,200,false",
        "GET,X-HTTP-Method-Override,DELETE,404,false",
        "PUT,X-HTTP-Method-Override,HEAD,200,true",
        "PATCH,_method,GET,200,false",
        "DELETE,X-HTTP-Method-Override,get,200,false",
        "GET,_method,head,200,true",
        "GET,_method,PUT,404,false",
        "HEAD,_method,PUT,404,true",
        "HEAD,X-HTTP-Method-Override,OPTIONS,200,true",
        "OPTIONS,_method,PUT,200,false",
        "POST,_method,HEAD,200,true",
        "POST,_method,GET,200,false",
        "POST,X-HTTP-Method-Override,get,200,false",
        "POST,_method,OPTIONS,200,false",
        "POST,_method,BREW,404,false"
    })
    void aMethodMayBeNamedElsewhere(String method, String where, String name, int status, boolean isEmpty) {
        boolean isHeader = where.startsWith("X-");
        var call =
                call(method, "/cms/v2/posts/{posts.alpha}&_fields=slug,methods" + (isHeader ? "" : "&_method=" + name));

        Answer answer = (isHeader ? call.header(where, name) : call).send();

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.bytes().length == 0).isEqualTo(isEmpty);
        if (status == 200) {
            assertThat(answer.header("Allow")).contains("GET");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "text/plain application/vnd.x+json ; a=b, c/d | {\"title\":\"t\"} | 201",
                "text/plain; a=b, application/json | {\"title\":\"t\"} | 400",
                "text/plain, application/x-www-form-urlencoded | title=t | 400",
                "APPLICATION/x-www-form-urlencoded,text/plain | title=t | 201",
                "multipart/form-data, multipart/form-data; boundary=B | --B~Content-Disposition: form-data; name=title~~t~--B--~ | 201",
                "multipart/form-data; boundary=\"B,C\", a/b | --B,C~Content-Disposition: form-data; name=title~~t~--B,C--~ | 201",
                "multipart/form-data, a/b | --B~Content-Disposition: form-data; name=title~~t~--B--~ | 400"
            })
    void aTypeThatTwoFieldsJoinedIsRead(String type, String body, int status) {
        Answer answer = call("POST", "/cms/v2/posts&_fields=id")
                .as("admin")
                .header("Content-Type", type)
                .body(body.replace("~", "\r\n").getBytes(StandardCharsets.UTF_8))
                .send();

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        if (status == 201) {
            call("DELETE", "/cms/v2/posts/" + answer.text("/id") + "&force=true")
                    .as("admin")
                    .send();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/?rest_route=/cms/v2/posts/{posts.alpha}&_fields=slug,application/json,alpha",
        "/?_fields=slug&rest_route=%2Fcms%2Fv2%2Fposts%2F{posts.alpha},application/json,alpha",
        "?rest_route=/,application/json,namespaces",
        "//index.php?rest_route=/cms/v2/posts/{posts.alpha}&_fields=slug,application/json,alpha",
        "//?rest_route=/cms/v2/posts/{posts.alpha}&_fields=slug,application/json,alpha",
        "/index.php/?rest_route=/cms/v2/posts/{posts.alpha}&_fields=slug,application/json,alpha",
        "//index.php//?rest_route=/,application/json,namespaces",
        "/?rest%5Froute=/cms/v2/posts/{posts.alpha}&_fields=slug,application/json,alpha",
        "/index.php?_fields=slug&%72est%5froute=/cms/v2/posts/{posts.alpha},application/json,alpha",
        "/index.php/,text/html,<title>",
        "/?rest_route=,text/html,<title>",
        "/?rest_routes=/,text/html,<title>",
        "/index.php,text/html,<title>",
        "/index.php?p={posts.alpha},text/html,Alpha opening"
    })
    void aRouteAndNotThePathMakesARequestToTheInterface(String address, String type, String content) {
        Answer answer = site.open(site.base() + named(address));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.mediaType()).isEqualTo(type);
        assertThat(answer.text()).contains(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?rest_route", "//index.php?rest_route", "/index.php/?rest_route", "/?rest%5Froute"})
    void whoSignsInAtTheRootIsSignedIn(String address) {
        Answer answer = site.as("admin").open(site.base() + address + "=/cms/v2/posts&context=edit&per_page=1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Cache-Control").orElse("")).contains("private");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/cms/v2/posts/{posts.alpha}",
                "/cms/v2/pages/{pages.team}",
                "/cms/v2/media/{media.photo}",
                "/cms/v2/categories/{categories.news}",
                "/cms/v2/types/post",
                "/cms/v2/taxonomies/post_tag"
            })
    void everyLinkOfAnItemLeadsSomewhere(String route) {
        JsonNode links = get(route).json().path("_links");

        assertThat(links.isEmpty()).isFalse();
        links.properties()
                .forEach(relation -> relation.getValue().forEach(link -> {
                    if (!relation.getKey().equals("curies")) {
                        String address = link.path("href").asString();
                        int status = site.as("admin").open(address).status();
                        assertThat(status).as(relation.getKey() + " " + address).isEqualTo(200);
                    }
                }));
    }

    @Test
    void everyNamespaceThatIsAnnouncedHasAnIndex() {
        for (JsonNode namespace : get("/&_fields=namespaces").json().path("namespaces")) {
            JsonNode index = get("/" + namespace.asString()).json();
            assertThat(index.path("namespace")).isEqualTo(namespace);
            assertThat(index.path("_links").has("up")).isTrue();
        }
        assertThat(get("/cms/v2&context=help")
                        .json()
                        .path("routes")
                        .path("/cms/v2/posts")
                        .has("schema"))
                .isTrue();
    }

    @Test
    void aPageElsewhereCanReadThatItMustWait() {
        Answer answer = null;
        for (int i = 0; i < 32; i++) {
            answer = call("GET", "/cms/v2/posts&per_page=1")
                    // An address of its own: the count of everybody else is theirs.
                    .header("X-Forwarded-For", "192.0.2.191")
                    .header("Origin", "https://app.example")
                    .header("Authorization", Account.basic("siteadmin", "wrong " + i))
                    .send();
        }

        assertThat(answer).isNotNull();
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("Access-Control-Allow-Origin")).contains("https://app.example");
        assertThat(answer.header("Access-Control-Allow-Credentials")).contains("true");
        assertThat(answer.header("Access-Control-Expose-Headers").orElse(""))
                .contains("Link")
                .contains("Retry-After");
        assertThat(answer.header("Vary")).contains("Origin");
        assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.header("X-Robots-Tag")).contains("noindex");
        assertThat(answer.header("Link").orElse("")).contains("https://api.w.org/");
        assertThat(answer.header("Retry-After")).isPresent();
        assertThat(answer.header("Content-Disposition")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/widget%2finit",
                "/api/v1/widget/init%5c",
                "/api/v1%2Fwidget/init",
                "/v1/cms/documents%2f7",
                "/v1/cms%5Cdocuments"
            })
    void anEscapedSlashIsRejectedInTheFormOfItsSurface(String path) {
        Answer answer = site.callAddress("POST", site.base() + path).send();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().propertyNames()).containsExactly("error");
        assertThat(answer.text("/error/code")).isEqualTo("bad_request");
    }
}
