package io.github.ratelimit.content.cms.index;

import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the links {@code replies} of items lead to. This server keeps no comments, so there are none of any item. */
@Component
@Order(310)
class CommentRoutes implements Route.Source {
    private static final Arguments ARGUMENTS = Arguments.of(
            Context.ARGUMENT,
            Argument.optional("page", Schema.integer().defaultsTo(1).minimum(1)),
            Argument.optional("per_page", Schema.integer().defaultsTo(10).between(1, 100)),
            Argument.optional(
                    "post",
                    Schema.arrayOf(Schema.integer(), "What they are about.").defaultsToNone()));

    private final ItemFinder items;

    CommentRoutes(ItemFinder items) {
        this.items = items;
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.at("cms/v2", "/comments")
                .on(RestMethod.GET)
                .accepts(ARGUMENTS)
                .allowedTo(this::check)
                .servedBy(request -> Paging.answer(request, JsonNodeFactory.instance.arrayNode(), 0, 0))
                .build());
    }

    private void check(RestRequest request) {
        List<Long> posts = request.arguments().integers("post");
        boolean isReadable = items.headers(request, posts).values().stream()
                .allMatch(item -> item.type() != ItemType.REVISION && items.mayReadText(request, item));
        request.require(
                isReadable, "rest_cannot_read_post", "Sorry, you are not allowed to read the post for this comment.");
        if (Context.of(request) == Context.EDIT) {
            request.require(
                    Capability.EDIT_OTHERS_POSTS,
                    "rest_forbidden_context",
                    "Sorry, you are not allowed to edit comments.");
        }
    }
}
