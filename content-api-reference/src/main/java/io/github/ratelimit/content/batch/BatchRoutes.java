package io.github.ratelimit.content.batch;

import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Dispatcher;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestPart;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import java.util.ArrayList;
import java.util.List;
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
                    Schema.string().among("require-all-validate", "normal").defaultsTo("normal")),
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
                .consistingOf(BatchRoutes::parts)
                .allowedTo(Permission.ANYONE)
                .servedBy(this::run)
                .build());
    }

    private static List<RestPart> parts(RestRequest batch) {
        List<RestPart> parts = new ArrayList<>();
        JsonNode members = batch.raw("requests").orElseGet(JsonNodeFactory.instance::arrayNode);
        for (JsonNode member : members.values()) {
            if (parts.size() > MOST_REQUESTS) {
                // Refused anyway, and not worth counting further.
                break;
            }
            String path = member.path("path").asString("");
            int query = path.indexOf('?');
            parts.add(new RestPart(method(member), query < 0 ? path : path.substring(0, query)));
        }
        return parts;
    }

    private static RestMethod method(JsonNode member) {
        return RestMethod.of(member.path("method").asString("POST")).orElse(RestMethod.POST);
    }

    private RestAnswer run(RestRequest batch) {
        List<Dispatcher.Prepared> members = new ArrayList<>();
        for (JsonNode member : batch.arguments().value("requests").orElseThrow()) {
            members.add(prepare(batch, member));
        }
        boolean allOrNone = batch.arguments().text("validation").orElse("").equals("require-all-validate");
        boolean hasInvalid = members.stream().anyMatch(member -> member.refusal() != null);
        return allOrNone && hasInvalid ? refuse(members) : serve(members);
    }

    private Dispatcher.Prepared prepare(RestRequest batch, JsonNode member) {
        RestMethod method = method(member);
        ObjectNode body = member.get("body") instanceof ObjectNode object ? object : null;
        Dispatcher.Prepared prepared;
        try {
            RestRequest request = batch.within(method, member.path("path").asString(""), body);
            prepared = dispatcher.getObject().prepare(request);
        } catch (RestError unusable) {
            return new Dispatcher.Prepared(batch, null, null, unusable);
        }
        if (prepared.route() != null && !prepared.isBatchable()) {
            return prepared.refusedFor(RestError.of(
                    400, "rest_batch_not_allowed", "The requested route does not support batch requests."));
        }
        return prepared;
    }

    /** Nothing runs: the answer tells which members are at fault, and says nothing about the others. */
    private static RestAnswer refuse(List<Dispatcher.Prepared> members) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("failed", "validation");
        ArrayNode responses = body.putArray("responses");
        for (Dispatcher.Prepared member : members) {
            RestError refusal = member.refusal();
            if (refusal == null) {
                responses.addNull();
            } else {
                responses.add(refusal.toAnswer().envelope());
            }
        }
        return RestAnswer.of(207, body);
    }

    private RestAnswer serve(List<Dispatcher.Prepared> members) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode responses = body.putArray("responses");
        members.forEach(
                member -> responses.add(dispatcher.getObject().serve(member).envelope()));
        return RestAnswer.of(207, body);
    }
}
