package io.github.ratelimit.content.cms.rest;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request after it was read.
 *
 * @param json the members of a JSON body
 * @param form the fields of a form
 * @param payload the files
 * @param rejection the reason if the body cannot be read; an unknown route is told first
 */
record ReadBody(
        ObjectNode json,
        ObjectNode form,
        Payload payload,
        @Nullable RestError rejection) {
    static final ReadBody NONE = of(none(), none(), Payload.NONE);

    static ReadBody ofJson(ObjectNode members) {
        return of(members, none(), Payload.NONE);
    }

    static ReadBody ofForm(ObjectNode fields, Payload payload) {
        return of(none(), fields, payload);
    }

    static ReadBody ofFile(Payload payload) {
        return of(none(), none(), payload);
    }

    static ReadBody rejected(RestError reason) {
        return new ReadBody(none(), none(), Payload.NONE, reason);
    }

    private static ReadBody of(ObjectNode json, ObjectNode form, Payload payload) {
        return new ReadBody(json, form, payload, null);
    }

    private static ObjectNode none() {
        return JsonNodeFactory.instance.objectNode();
    }
}
