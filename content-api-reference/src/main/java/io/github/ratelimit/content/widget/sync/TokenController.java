package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.widget.api.ApiController;
import io.github.ratelimit.content.widget.api.BearerToken;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The tokens of a workspace. None is added here: limits count by token, and a site that made its own could make itself
 * any budget.
 */
@ApiController
@RateLimit("cms-plugin")
@RequestMapping(DocumentController.ROOT + "/tokens")
class TokenController {

    /** Chosen: who does not get the answer has time to ask for it again, by the only secret that it knows. */
    private static final Duration USUAL_OVERLAP = Duration.ofMinutes(1);

    private final Workspaces workspaces;

    TokenController(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    /**
     * All tokens.
     *
     * @param items oldest secret first
     */
    record Tokens(List<TokenSummary> items) {}

    /**
     * How to rotate.
     *
     * @param overlapSeconds for how long the secret before it is still accepted, at most a day; a minute where it is not said; after a leak, none
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Rotation(
            @Min(value = 0, message = "must be from 0 to 86400")
            @Max(value = 86_400, message = "must be from 0 to 86400")
            @Nullable
            Integer overlapSeconds) {}

    /**
     * A new secret.
     *
     * @param id the token, which is the same
     * @param token its new secret; shown once
     */
    record Rotated(String id, String token) {
        /** Does not print the secret. */
        @Override
        public String toString() {
            return "Rotated[" + id + "]";
        }
    }

    /** Shows the workspace's tokens without their secrets, oldest secret first. */
    @GetMapping
    Tokens tokens(WorkspaceToken caller) {
        return new Tokens(workspaces.tokens(caller));
    }

    /** Gives the token that asks a new secret. */
    @PostMapping("/rotate")
    Rotated rotateToken(
            WorkspaceToken caller,
            HttpServletRequest request,
            @Valid @RequestBody(required = false) @Nullable Rotation rotation) {
        Integer seconds = rotation == null ? null : rotation.overlapSeconds();
        Duration overlap = seconds == null ? USUAL_OVERLAP : Duration.ofSeconds(seconds);
        return new Rotated(caller.id(), workspaces.rotate(caller, presented(request), overlap));
    }

    /** Revokes a token for good; the last one stays. */
    @DeleteMapping("/{id}")
    @Refuses(409)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeToken(WorkspaceToken caller, HttpServletRequest request, @PathVariable String id) {
        workspaces.revoke(caller, presented(request), id);
    }

    private static String presented(HttpServletRequest request) {
        return BearerToken.of(request).orElse("");
    }
}
