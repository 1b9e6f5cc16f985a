package io.github.ratelimit.content.demo;

import io.github.ratelimit.Store;
import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/** Takes the store away and gives it back. For administrators; a page of another site cannot send a PUT here, as no origin is let in. */
@ApiController
@RequestMapping("/demo/store")
class StoreController {
    private final @Nullable SwitchedStore store;

    StoreController(Store store) {
        this.store = store instanceof SwitchedStore switched ? switched : null;
    }

    /** Whether the store is to be away, or is. */
    record Away(@NotNull Boolean away) {}

    @GetMapping
    Away show() {
        return new Away(switched().isAway());
    }

    @PutMapping
    Away change(@Valid @RequestBody Away wanted) {
        if (wanted.away()) {
            switched().take();
        } else {
            switched().giveBack();
        }
        return show();
    }

    private SwitchedStore switched() {
        if (store == null) {
            throw ApiException.notFound(
                    "There is no switch here. Start with --content-api.demo-controls=true and the in-process store.");
        }
        return store;
    }
}
