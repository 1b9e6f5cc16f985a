package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes ratings. */
@ApiController
@RateLimit(permits = 60, window = "1m", key = "client-address", name = "satisfaction")
@RequestMapping(WidgetConfiguration.ROOT + "/satisfaction")
class SatisfactionController {

    private final InstantSource clock;
    private final Conversations conversations;
    private final RatingStore ratings;
    private final Origins origins;

    SatisfactionController(InstantSource clock, Conversations conversations, RatingStore ratings, Origins origins) {
        this.clock = clock;
        this.conversations = conversations;
        this.ratings = ratings;
        this.origins = origins;
    }

    /**
     * How satisfied somebody is.
     *
     * @param rating 1 to 5
     * @param comment plain text
     * @param workspace the site that is rated; where it is missing, that of the conversation, and without a token the oldest one
     */
    record NewRating(
            @NotNull(message = "is required")
            @Min(value = 1, message = "must be from 1 to 5")
            @Max(value = 5, message = "must be from 1 to 5")
            Integer rating,

            @PlainText(max = 2000) @Nullable String comment,
            @PlainText(max = 64) @Nullable String workspace) {}

    /** Says how satisfied somebody is. */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Rating rate(
            @RequestAttribute(name = VisitorSession.PROOF_ATTRIBUTE, required = false) @Nullable VisitorSession caller,
            @Valid @RequestBody NewRating wanted,
            HttpServletRequest request,
            HttpServletResponse response) {
        Conversations.Place place = conversations.place(caller, wanted.workspace());
        origins.confine(place.workspace(), request, response);
        var rating = new Rating(
                UUID.randomUUID(),
                place.workspace(),
                place.conversation(),
                wanted.rating(),
                wanted.comment(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return conversations.leave(place.conversation(), () -> {
            ratings.add(rating);
            return rating;
        });
    }
}
