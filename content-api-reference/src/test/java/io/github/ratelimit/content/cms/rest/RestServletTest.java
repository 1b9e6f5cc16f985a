package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What holds for every route. */
@TestInstance(Lifecycle.PER_CLASS)
class RestServletTest {
    private final Account admin = Accounts.standard().get("admin");

    @AutoClose
    private final ReferenceServer server =
            ReferenceServer.start(Database.H2, ReferenceServer.with((RouteSource) RestServletTest::busy));

    private final SiteClient site = new SiteClient(server.base());

    private static List<Route> busy() {
        return List.of(
                Route.in("tests/v1")
                        .at("/busy")
                        .on(RestMethod.GET)
                        .allowedTo(Permission.ANYONE)
                        .servedBy(request -> {
                            throw RestError.of(503, "rest_busy", "There is no place.");
                        })
                        .build(),
                Route.in("tests/v1")
                        .at("/long")
                        .on(RestMethod.GET)
                        .allowedTo(Permission.ANYONE)
                        .servedBy(request -> RestAnswer.ok(longList(200)))
                        .build(),
                Route.in("tests/v1")
                        .at("/broken")
                        .on(RestMethod.GET)
                        .allowedTo(Permission.ANYONE)
                        .servedBy(request -> RestAnswer.ok(longList(200).addPOJO(unwritable())))
                        .build());
    }

    private static ArrayNode longList(int members) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        IntStream.range(0, members).forEach(i -> list.add(i + "/é".repeat(1_000)));
        return list;
    }

    /** Fails when it is written, since it is in itself. */
    private static List<Object> unwritable() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    @ParameterizedTest
    @CsvSource({"'',''", "&_pretty=1,''", "&_jsonp=show,/**/show(", "&_jsonp=show&_pretty=1,/**/show("})
    void whatIsLongIsSentWhileItIsWritten(String form, String begin) {
        Answer answer = site.callAddress("GET", server.base() + "/index.php?rest_route=/tests/v1/long" + form)
                .send();

        assertThat(answer.header("Content-Length")).isEmpty();
        assertThat(answer.text()).startsWith(begin);
        String json = begin.isEmpty()
                ? answer.text()
                : answer.text().substring(begin.length(), answer.text().length() - 1);
        assertThat(new JsonMapper().readTree(json)).isEqualTo(longList(200));
        if (!begin.isEmpty()) {
            assertThat(json)
                    .isEqualTo(json.replaceAll("[^\\x00-\\x7f]", ""))
                    .doesNotContain("0/")
                    .contains("0\\/\\u00e9");
        }
    }

    /** The status is gone when the fault is met, so the end of the body must tell. */
    @Test
    void whatBreaksOffWithinABodyIsNoWholeAnswer() {
        try (RawConnection connection = new RawConnection(server.base())) {
            assertThatThrownBy(() -> connection.send("GET /index.php?rest_route=/tests/v1/broken HTTP/1.1", ""))
                    .hasRootCauseInstanceOf(EOFException.class);
        }
    }

    /** There nothing but the length tells a whole answer from one that broke off. */
    @Test
    void whoeverKnowsNoPiecesIsToldTheLength() {
        Answer whole =
                RawConnection.once(server.base(), "GET /index.php?rest_route=/tests/v1/long&_jsonp=show HTTP/1.0", "");
        assertThat(whole.header("Content-Length")).contains("" + whole.bytes().length);
        assertThat(whole.text()).startsWith("/**/show(").endsWith(")");

        assertThat(RawConnection.once(server.base(), "GET /index.php?rest_route=/tests/v1/broken HTTP/1.0", "")
                        .status())
                .isEqualTo(500);
    }

    @Test
    void whatIsUnavailableSaysWhenToComeAgainAlsoToPagesElsewhere() {
        Answer answer = site.call("GET", "/tests/v1/busy")
                .header("Origin", "https://app.example")
                .send();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isPresent();
        assertThat(answer.header("Access-Control-Expose-Headers").orElse("")).contains("Retry-After");
    }

    /** By its pattern: there are as many as routes, whatever is asked for. */
    @Test
    void requestsAreObservedByTheirRoute() {
        for (String route : List.of("/cms/v2/posts/990001", "/cms/v2/posts/990002", "/cms/v2/nothing/990003")) {
            assertThat(site.call("GET", route).send().status()).isEqualTo(404);
        }
        String meters = site.callAddress("GET", server.base() + "/actuator/prometheus")
                .as(admin)
                .send()
                .text();

        assertThat(meters.lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .filter(line -> line.contains("uri=\"/index.php/cms/v2/posts/(?P<id>[\\\\d]+)\"")))
                .singleElement()
                .asString()
                .endsWith(" 2");
        assertThat(meters).doesNotContain("99000");
    }

    /** A browser asks so before each write of a page elsewhere. */
    @Test
    void whatMayBeDoneIsObservedByItsRouteToo() {
        site.call("OPTIONS", "/cms/v2/posts/990004/autosaves").send();

        assertThat(site.callAddress("GET", server.base() + "/actuator/prometheus")
                        .as(admin)
                        .send()
                        .text()
                        .lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .filter(line -> line.contains("method=\"OPTIONS\"")))
                .anyMatch(line -> line.contains("uri=\"/index.php/cms/v2/posts/(?P<id>[\\\\d]+)/autosaves\""));
    }

    /** Of so many values of one tag that the process is to be kept from more: whoever comes after them would not be seen again. */
    @Test
    void noRouteIsLeftOutOfTheObservationsForTheOthers() {
        Set<String> observed = new TreeSet<>(Set.of("NOT_FOUND", "REDIRECTION", "UNKNOWN", "root", "/**"));
        server.context()
                .getBean(RouteTable.class)
                .all()
                .forEach(route -> observed.add(RestAddress.PATH + route.pattern()));
        server.context().getBeansOfType(RequestMappingInfoHandlerMapping.class).values().stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .forEach(mapped -> observed.addAll(mapped.getPatternValues()));
        MeterRegistry meters = server.context().getBean(MeterRegistry.class);
        List<Timer> made = observed.stream()
                .map(uri -> meters.timer(
                        "http.server.requests",
                        Tags.of("uri", uri, "method", "NONE", "status", "0", "outcome", "NONE", "exception", "none")
                                .and("error", "none")))
                .toList();

        Set<String> seen = meters.find("http.server.requests").timers().stream()
                .map(timer -> timer.getId().getTag("uri"))
                .collect(Collectors.toSet());
        made.forEach(meters::remove);
        assertThat(observed).hasSizeGreaterThan(80);
        assertThat(seen).containsAll(observed);
    }
}
