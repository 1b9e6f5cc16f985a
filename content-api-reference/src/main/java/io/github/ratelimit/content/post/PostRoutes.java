package io.github.ratelimit.content.post;

import io.github.ratelimit.content.item.ItemHandlers;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Posts. What differs between types of items is asked of {@link ItemType}. */
@Component
@Order(100)
class PostRoutes implements RouteSource {
    private final ItemHandlers items;

    PostRoutes(ItemHandlers items) {
        this.items = items;
    }

    @Override
    public List<Route> routes() {
        return items.routes(ItemType.POST);
    }
}
