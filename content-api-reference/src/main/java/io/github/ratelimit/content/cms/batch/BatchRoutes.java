package io.github.ratelimit.content.cms.batch;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.RestTarget;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Several writes in one request.
 *
 * <p>Each of them goes the way that every request goes: route, arguments, permission, handler.
 */
@Component
@Order(1)
class BatchRoutes implements Route.Source {
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
            Argument.nullable(
                    "validation",
                    Schema.string().among("require-all-validate", "normal").defaultsTo("normal")),
            Argument.required("requests", Schema.arrayOf(REQUEST).maxItems(MOST_REQUESTS)));

    private final Dispatcher dispatcher;

    BatchRoutes(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.at("", "/batch/v1")
                .on(RestMethod.POST)
                .accepts(ARGUMENTS)
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(this::run)
                .build());
    }

    private RestAnswer run(RestRequest batch) {
        List<Dispatcher.Prepared> members = new ArrayList<>();
        for (JsonNode member : batch.arguments().value("requests").orElseThrow()) {
            members.add(prepare(batch, member));
        }
        boolean allOrNone = batch.arguments().text("validation").orElse("").equals("require-all-validate");
        boolean hasInvalid = members.stream().anyMatch(member -> member.rejection() != null);
        return allOrNone && hasInvalid ? reject(members) : serve(members);
    }

    private Dispatcher.Prepared prepare(RestRequest batch, JsonNode member) {
        RestMethod method = RestMethod.valueOf(member.path("method").asString("POST"));
        ObjectNode body = member.get("body") instanceof ObjectNode object ? object : null;
        Dispatcher.Prepared prepared;
        try {
            RestTarget target = RestTarget.of(member.path("path").asString(""))
                    .orElseThrow(() -> RestError.of(400, "parse_path_failed", "Could not parse the path."));
            prepared = dispatcher.prepare(batch.within(method, target.route(), target.arguments(), body));
        } catch (RestError unusable) {
            return new Dispatcher.Prepared(batch, null, null, unusable, "");
        }
        return prepared.endpoint() == null || prepared.endpoint().batchable()
                ? prepared
                : prepared.rejectedFor(RestError.of(
                        400, "rest_batch_not_allowed", "The requested route does not support batch requests."));
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
            responses.add(dispatcher.serve(member).envelope());
        }
        return RestAnswer.of(207, body);
    }
}
