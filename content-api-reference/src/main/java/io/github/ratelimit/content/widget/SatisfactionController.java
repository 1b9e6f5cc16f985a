package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes ratings. */
@ApiController
@RateLimit(permits = 60, window = "1m", key = "client-address", name = "satisfaction")
@RequestMapping(WidgetConfiguration.ROOT + "/satisfaction")
class SatisfactionController {
    private final Conversations conversations;

    SatisfactionController(Conversations conversations) {
        this.conversations = conversations;
    }

    record NewRating(
            @NotNull(message = "is required")
            @Min(value = 1, message = "must be from 1 to 5")
            @Max(value = 5, message = "must be from 1 to 5")
            Integer rating,

            @PlainText(max = 2000) @Nullable String comment) {}

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Rating rate(Optional<VisitorSession> caller, @Valid @RequestBody NewRating rating) {
        return conversations.rate(caller.orElse(null), rating.rating(), rating.comment());
    }
}
