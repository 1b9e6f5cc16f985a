package io.github.ratelimit.content.cms.signin;

import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.server.settings.ServerKey;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;

/** Puts a filter of Spring Security before the authorisation page, and before nothing else: others find out by themselves who is calling. */
@Configuration(proxyBeanMethods = false)
class SignInConfiguration {

    /** Visits to the page, by an id that a cookie holds; kept nowhere else. */
    @Bean
    CsrfTokenRepository visits(SiteAddress address) {
        CookieCsrfTokenRepository visits = new CookieCsrfTokenRepository();
        visits.setCookieName("authorize-visit");
        visits.setCookiePath(AuthorizationController.PATH);
        visits.setParameterName("form_token");
        visits.setHeaderName("(none)"); // which no request can carry: only a form says its token
        visits.setCookieCustomizer(cookie -> {
            // Lax, not Strict: people come here by a link of the application that asks.
            cookie.sameSite("Lax").maxAge(Sessions.LIFETIME);
            if (address.configured().startsWith("https:")) {
                cookie.secure(true); // also behind a proxy that does not say so
            }
        });
        return visits;
    }

    @Bean
    @FilterRegistration(urlPatterns = AuthorizationController.PATH)
    CsrfFilter formFilter(CsrfTokenRepository visits, ServerKey key, AuthorizationController page) {
        CsrfFilter filter = new CsrfFilter(visits);
        filter.setRequestHandler(new SignedForms(key));
        // Nothing else does anything here; the answer to other methods is 405, which is to be told.
        filter.setRequireCsrfProtectionMatcher(http -> http.getMethod().equals("POST"));
        filter.setAccessDeniedHandler((http, response, denied) -> page.rejectForm(http, response));
        return filter;
    }
}
