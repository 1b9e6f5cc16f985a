package io.github.ratelimit.content.cms.batch;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.RestTarget;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.rest.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Several writes in one request.
 *
 * <p>Each of them goes the way that every request goes: route, arguments, permission, handler. What is known about one of
 * them is one record, so that nothing of one can be taken for another's.
 */
@Component
@Order(1)
class BatchRoutes implements RouteSource {
    private static final int MOST_REQUESTS = 25;

    private static final Schema REQUEST = Schema.object()
            .property(
                    "method",
                    Schema.string().among("POST", "PUT", "PATCH", "DELETE").defaultsTo("POST"))
            .property("path", Schema.string().required())
            .property("body", Schema.object().withoutProperties().open())
            .property(
                    "headers",
                    Schema.object()
                            .withoutProperties()
                            .otherProperties(Schema.ofTypes("string", "array").items(Schema.string())));

    private static final Arguments ARGUMENTS = Arguments.of(
            Argument.optional(
                            "validation",
                            Schema.string()
                                    .among("require-all-validate", "normal")
                                    .defaultsTo("normal"))
                    .readingNull(),
            Argument.required("requests", Schema.arrayOf(REQUEST).maxItems(MOST_REQUESTS)));

    /** Asked for when the first batch comes: it knows the routes, of which this is one. */
    private final ObjectProvider<Dispatcher> dispatcher;

    BatchRoutes(ObjectProvider<Dispatcher> dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.in("")
                .at("/batch/v1")
                .on(RestMethod.POST)
                .accepts(ARGUMENTS)
                .allowedTo(Permission.ANYONE)
                .servedBy(this::run)
                .build());
    }

    /**
     * One of several.
     *
     * @param method what to do
     * @param target where; nothing where the path cannot be read
     * @param body its arguments, or nothing
     */
    private record Member(
            RestMethod method,
            @Nullable RestTarget target,
            @Nullable ObjectNode body) {}

    private static List<Member> members(RestRequest batch) {
        List<Member> members = new ArrayList<>();
        for (JsonNode member : batch.arguments().value("requests").orElseThrow()) {
            members.add(new Member(
                    method(member),
                    RestTarget.of(member.path("path").asString("")).orElse(null),
                    member.get("body") instanceof ObjectNode object ? object : null));
        }
        return members;
    }

    private static RestMethod method(JsonNode member) {
        return RestMethod.of(member.path("method").asString("POST")).orElse(RestMethod.POST);
    }

    private RestAnswer run(RestRequest batch) {
        List<Dispatcher.Prepared> members = new ArrayList<>();
        for (Member member : members(batch)) {
            members.add(prepare(batch, member));
        }
        boolean allOrNone = batch.arguments().text("validation").orElse("").equals("require-all-validate");
        boolean hasInvalid = members.stream().anyMatch(member -> member.rejection() != null);
        return allOrNone && hasInvalid ? reject(members) : serve(members);
    }

    private Dispatcher.Prepared prepare(RestRequest batch, Member member) {
        RestTarget target = member.target();
        Dispatcher.Prepared prepared;
        try {
            if (target == null) {
                throw RestError.of(400, "parse_path_failed", "Could not parse the path.");
            }
            RestRequest request = batch.within(member.method(), target.route(), target.arguments(), member.body());
            prepared = dispatcher.getObject().prepare(request);
        } catch (RestError unusable) {
            return new Dispatcher.Prepared(batch, null, null, unusable, "");
        }
        if (prepared.endpoint() != null && !prepared.isBatchable()) {
            return prepared.rejectedFor(RestError.of(
                    400, "rest_batch_not_allowed", "The requested route does not support batch requests."));
        }
        return prepared;
    }

    /** Nothing runs: the answer tells which members are at fault, and says nothing about the others. */
    private static RestAnswer reject(List<Dispatcher.Prepared> members) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("failed", "validation");
        ArrayNode responses = body.putArray("responses");
        for (Dispatcher.Prepared member : members) {
            RestError rejection = member.rejection();
            if (rejection == null) {
                responses.addNull();
            } else {
                responses.add(rejection.toAnswer().envelope());
            }
        }
        return RestAnswer.of(207, body);
    }

    private RestAnswer serve(List<Dispatcher.Prepared> members) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode responses = body.putArray("responses");
        for (Dispatcher.Prepared member : members) {
            responses.add(dispatcher.getObject().serve(member).envelope());
        }
        return RestAnswer.of(207, body);
    }
}
