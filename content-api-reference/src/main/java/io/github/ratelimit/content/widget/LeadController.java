package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes the addresses of visitors who want to be contacted. */
@ApiController
@RateLimit("widget-leads")
@RequestMapping(WidgetConfiguration.ROOT)
class LeadController {

    private final InstantSource clock;
    private final Conversations conversations;
    private final LeadStore leads;

    LeadController(InstantSource clock, Conversations conversations, LeadStore leads) {
        this.clock = clock;
        this.conversations = conversations;
        this.leads = leads;
    }

    /**
     * A visitor who wants to be contacted.
     *
     * @param email the visitor's address
     * @param name the visitor's name
     * @param phone the visitor's telephone number, in any form
     * @param note what it is about
     */
    record NewLead(
            @PlainText(max = 254, required = true) @Email(message = "must be an e-mail address")
            String email,

            @PlainText(max = 200) @Nullable String name,
            @PlainText(max = 50) @Nullable String phone,
            @PlainText(max = 4000) @Nullable String note) {}

    /** Asks to be contacted. */
    @PostMapping("/leads")
    @ResponseStatus(HttpStatus.CREATED)
    Lead addLead(VisitorSession caller, @Valid @RequestBody NewLead wanted) {
        var lead = new Lead(
                UUID.randomUUID(),
                caller.conversationId(),
                wanted.email(),
                wanted.name(),
                wanted.phone(),
                wanted.note(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return conversations.leave(caller.conversationId(), () -> {
            leads.add(lead);
            return lead;
        });
    }
}
