package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.github.ratelimit.spring.RateLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/** A site says which pages may call its widget. Part of the bulk-sync surface. */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping("/v1/cms/origins")
class OriginController {

    private final Origins origins;

    OriginController(Origins origins) {
        this.origins = origins;
    }

    /**
     * The whole list.
     *
     * @param origins each like {@code https://www.example.org}, or {@code *}
     */
    record AllOrigins(
            @NotNull(message = "is required") @Size(max = 100, message = "must have at most 100 items")
            List<@NotNull(message = "must be a text") String> origins) {}

    /** Shows the origins whose pages may call the site's widget. */
    @GetMapping
    AllOrigins origins(WorkspaceToken caller) {
        return new AllOrigins(origins.of(caller.workspaceId()));
    }

    /** Replaces the list. */
    @PutMapping
    AllOrigins putOrigins(WorkspaceToken caller, @Valid @RequestBody AllOrigins wanted) {
        Map<String, String> problems = new TreeMap<>();
        for (int i = 0; i < wanted.origins().size(); i++) {
            if (!WidgetSettings.isOrigin(wanted.origins().get(i))) {
                problems.put("origins[" + i + "]", "must be '*' or like https://www.example.org");
            }
        }
        if (!problems.isEmpty()) {
            throw ApiException.invalid(problems);
        }
        origins.replace(caller.workspaceId(), wanted.origins());
        return origins(caller);
    }
}
