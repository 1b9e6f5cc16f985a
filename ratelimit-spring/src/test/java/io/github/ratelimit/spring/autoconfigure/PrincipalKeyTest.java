package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeCall;
import java.security.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Issue 40, row 14: the key {@code principal} is the name of the authentication, and not the text of the object in it. */
class PrincipalKeyTest {

    /** Made for each request, and without a text of its own. */
    private static final class Account {}

    private static Principal signedIn() {
        return new UsernamePasswordAuthenticationToken(new Account(), null, List.of()) {
            private static final long serialVersionUID = 1;

            @Override
            public String getName() {
                return "ada";
            }
        };
    }

    private static void isCountedByName(HttpCall call) {
        assertThat(HttpKeys.principal().resolve(call)).isEqualTo(Key.of("ada"));
    }

    @Test
    void servletRequestsOfOneNameShareACount() {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setUserPrincipal(signedIn());
        isCountedByName(ServletCall.of(request));
    }

    @Test
    void exchangesOfOneNameShareACount() {
        ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"))
                .mutate()
                .principal(Mono.just(signedIn()))
                .build();
        isCountedByName(ExchangeCall.afterAuthentication(exchange, ExchangeOrigin.ofServer())
                .blockOptional()
                .orElseThrow());
    }
}
