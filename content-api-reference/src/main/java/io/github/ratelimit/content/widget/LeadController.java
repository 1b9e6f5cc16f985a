package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.PlainText;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Takes the addresses of visitors who want to be contacted. */
@ApiController
@RateLimit("widget-leads")
@RequestMapping(WidgetConfiguration.ROOT + "/leads")
class LeadController {
    private final Conversations conversations;

    LeadController(Conversations conversations) {
        this.conversations = conversations;
    }

    record NewLead(
            @PlainText(max = 254, required = true) @Email(message = "must be an e-mail address")
            String email,

            @PlainText(max = 200) @Nullable String name,
            @PlainText(max = 50) @Nullable String phone,
            @PlainText(max = 4000) @Nullable String note) {}

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Lead addLead(VisitorSession caller, @Valid @RequestBody NewLead lead) {
        return conversations.addLead(caller, lead.email(), lead.name(), lead.phone(), lead.note());
    }
}
