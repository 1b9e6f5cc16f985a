package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiController;
import io.github.ratelimit.content.api.Listing;
import io.github.ratelimit.content.api.Slice;
import io.github.ratelimit.content.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Shows a site what visitors left in its widget; newest first. Part of the bulk-sync surface. */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping("/v1/cms")
class ReportController {

    private static final String PER_PAGE = "per_page";

    private final Conversations conversations;
    private final Leads leads;
    private final Events events;
    private final Ratings ratings;
    private final Coupons coupons;

    ReportController(Conversations conversations, Leads leads, Events events, Ratings ratings, Coupons coupons) {
        this.conversations = conversations;
        this.leads = leads;
        this.events = events;
        this.ratings = ratings;
        this.coupons = coupons;
    }

    @GetMapping("/conversations")
    Listing<Conversation> conversations(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return conversations.list(caller.workspaceId(), Slice.of(page, perPage));
    }

    @GetMapping("/leads")
    Listing<Lead> leads(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return leads.list(caller.workspaceId(), Slice.of(page, perPage));
    }

    @GetMapping("/events")
    Listing<Event> events(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return events.list(caller.workspaceId(), Slice.of(page, perPage));
    }

    @GetMapping("/ratings")
    Listing<Rating> ratings(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return ratings.list(caller.workspaceId(), Slice.of(page, perPage));
    }

    @GetMapping("/feedback")
    Listing<Feedback> feedback(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return conversations.feedback(caller.workspaceId(), Slice.of(page, perPage));
    }

    @GetMapping("/coupons")
    Listing<Discount> coupons(
            WorkspaceToken caller,
            @RequestParam(required = false) @Nullable String page,
            @RequestParam(name = PER_PAGE, required = false) @Nullable String perPage) {
        return coupons.list(caller.workspaceId(), Slice.of(page, perPage));
    }
}
