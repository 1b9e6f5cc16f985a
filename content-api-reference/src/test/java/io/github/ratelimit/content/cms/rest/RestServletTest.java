package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import tools.jackson.databind.node.JsonNodeFactory;

/** What holds for every route. */
@TestInstance(Lifecycle.PER_CLASS)
class RestServletTest {

    @AutoClose
    private final ReferenceServer server =
            ReferenceServer.start(Database.H2, ReferenceServer.with((Route.Source) RestServletTest::busy));

    private final SiteClient site = new SiteClient(server.base());

    private static List<Route> busy() {
        return List.of(
                Route.at("tests/v1", "/busy")
                        .on(RestMethod.GET)
                        .allowedTo(Route.Permission.ANYONE)
                        .servedBy(request -> {
                            throw RestError.of(503, "rest_busy", "There is no place.");
                        })
                        .build(),
                Route.at("tests/v1", "/broken")
                        .on(RestMethod.GET)
                        .allowedTo(Route.Permission.ANYONE)
                        .servedBy(request -> RestAnswer.ok(
                                JsonNodeFactory.instance.arrayNode().addPOJO(unwritable())))
                        .build());
    }

    /** Fails when it is written, since it is in itself. */
    private static List<Object> unwritable() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    /** The answer is whole in memory before its first byte is sent. */
    @Test
    void anAnswerThatCannotBeWrittenIsAnError() {
        Answer answer = site.get("/tests/v1/broken");

        assertThat(answer.status()).isEqualTo(500);
    }

    @Test
    void whatIsUnavailableSaysWhenToComeAgainAlsoToPagesElsewhere() {
        Answer answer = site.with("Origin", "https://app.example").get("/tests/v1/busy");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isPresent();
        assertThat(answer.header("Access-Control-Expose-Headers").orElse("")).contains("Retry-After");
    }

    /** By its pattern: there are as many as routes, whatever is asked for. */
    @Test
    void requestsAreObservedByTheirRoute() {
        for (String route : List.of("/cms/v2/posts/990001", "/cms/v2/posts/990002", "/cms/v2/nothing/990003")) {
            assertThat(site.get(route).status()).isEqualTo(404);
        }
        String meters =
                site.as("admin").open(server.base() + "/actuator/prometheus").text();

        assertThat(meters.lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .filter(line -> line.contains("uri=\"/index.php/cms/v2/posts/(?P<id>[\\\\d]+)\"")))
                .singleElement()
                .asString()
                .endsWith(" 2");
        assertThat(meters).doesNotContain("99000");
    }
}
