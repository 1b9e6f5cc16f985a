package io.github.ratelimit.content.cms.signin;

import io.github.ratelimit.content.server.settings.ServerKey;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestHandler;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;

/**
 * What forms repeat: not the id of a visit, which is worth a sign-in and stays in its cookie, but what only this server can make of it, masked anew each
 * time. Safe for concurrent use.
 */
final class SignedForms implements CsrfTokenRequestHandler {
    private final XorCsrfTokenRequestAttributeHandler masked = new XorCsrfTokenRequestAttributeHandler();
    private final ServerKey key;

    SignedForms(ServerKey key) {
        this.key = key;
    }

    @Override
    public void handle(HttpServletRequest http, HttpServletResponse response, Supplier<CsrfToken> visit) {
        masked.handle(http, response, () -> signed(visit.get()));
    }

    @Override
    public @Nullable String resolveCsrfTokenValue(HttpServletRequest http, CsrfToken visit) {
        CsrfToken right = signed(visit);
        String sent = masked.resolveCsrfTokenValue(http, right);
        return sent != null && ServerKey.areEqual(sent, right.getToken()) ? visit.getToken() : null;
    }

    private CsrfToken signed(CsrfToken visit) {
        return new DefaultCsrfToken(
                visit.getHeaderName(), visit.getParameterName(), key.sign("sign-in form", visit.getToken()));
    }
}
