package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.cms.security.Caller;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@ExtendWith(OutputCaptureExtension.class)
final class DispatcherTest {
    private static RestAnswer served(Supplier<RuntimeException> whyNobodyMayDelete) {
        return served(RestMethod.GET, whyNobodyMayDelete);
    }

    private static RestAnswer served(RestMethod method, Supplier<RuntimeException> whyNobodyMayDelete) {
        Route.Source source = () -> List.of(Route.at("", "/things")
                .on(RestMethod.GET)
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .on(RestMethod.DELETE)
                .allowedTo(request -> {
                    throw whyNobodyMayDelete.get();
                })
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .build());
        return served(source, method, JsonNodeFactory.instance.objectNode());
    }

    private static RestAnswer served(Route.Source source, RestMethod method, ObjectNode body) {
        var beans = new StaticListableBeanFactory(Map.of("source", source));
        var dispatcher = new Dispatcher(beans.getBeanProvider(Route.Source.class));
        return dispatcher.serve(RestRequest.ofServer(method, "/things", Caller.anonymous(), "", body));
    }

    @Test
    void methodsThatACallerMightUseAreTold() {
        RestAnswer answer = served(() -> RestError.of(403, "rest_forbidden", "No."));

        assertThat(answer.headers()).containsEntry("Allow", "GET");
    }

    /** What reads it may be dear, as a list of a thousand terms is. */
    @Test
    void argumentsOfTheMethodThatWasServedAreReadOnce() {
        AtomicInteger read = new AtomicInteger();
        Argument size = Argument.optional("size", Schema.integer()).readBy((request, value) -> {
            read.incrementAndGet();
            return value;
        });
        Route.Permission small = request -> {
            if (request.arguments().number("size") != 3) {
                throw RestError.of(403, "rest_forbidden", "No.");
            }
        };
        Route.Source source = () -> List.of(Route.at("", "/things")
                .on(RestMethod.POST)
                .accepts(Arguments.of(size))
                .allowedTo(small)
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .build());

        RestAnswer answer = served(
                source, RestMethod.POST, JsonNodeFactory.instance.objectNode().put("size", 3));

        assertThat(answer.headers()).containsEntry("Allow", "POST");
        assertThat(read).hasValue(1);
    }

    @Test
    void methodsThatDoTheSameAreAskedForTogether() {
        AtomicInteger asked = new AtomicInteger();
        Route.Source source = () -> List.of(Route.at("", "/things")
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .allowedTo(request -> asked.incrementAndGet())
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .on(RestMethod.GET)
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .build());

        RestAnswer answer = served(source, RestMethod.GET, JsonNodeFactory.instance.objectNode());

        assertThat(answer.headers()).containsEntry("Allow", "GET, POST, PUT, PATCH");
        assertThat(asked).hasValue(1);
    }

    /** Nobody could say which of the two permissions holds. */
    @Test
    void methodIsDeclaredOnce() {
        Route.EndpointBuilder second = Route.at("", "/things")
                .on(RestMethod.GET)
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode()))
                .on(RestMethod.POST, RestMethod.GET);

        assertThatThrownBy(() -> second.servedBy(request -> RestAnswer.ok(JsonNodeFactory.instance.objectNode())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/things");
    }

    /** The answer is made by then, and nobody's fault is in the log. */
    @Test
    void whatABusyDatabaseCannotTellOfMethodsIsLeftOut(CapturedOutput log) {
        RestAnswer answer =
                served(() -> new CannotGetJdbcConnectionException("none", new SQLTransientConnectionException("busy")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).doesNotContainKey("Allow");
        assertThat(log).doesNotContain("ERROR", "SQLTransientConnectionException");
    }

    @Test
    void faultOfAPermissionIsLoggedAndSpoilsNoAnswer(CapturedOutput log) {
        RestAnswer answer = served(() -> new IllegalStateException("a fault"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(log).contains("permission could not be told");
    }
}
