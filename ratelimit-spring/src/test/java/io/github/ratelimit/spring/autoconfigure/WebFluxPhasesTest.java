package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Limits before and after Spring Security has found out who is calling, in WebFlux. Each test has limiters of its own. */
class WebFluxPhasesTest {

    private static final CountingStore STORE = new CountingStore();

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.of(Secured.class, Members.class)
                .reactive()
                .secured()
                .bean(Store.class, STORE)
                .limiter("guess", 3)
                .limiter("member", 2)
                .property("ratelimit.limiters.member.key", "principal | client-address")
                .limiter("own", 1)
                .property("ratelimit.limiters.own.key", "principal")
                .limiter("who", 1)
                .property("ratelimit.limiters.who.key", "who")
                .property("ratelimit.limiters.who.paths", "/who")
                .limiter("forced", 3)
                .property("ratelimit.limiters.forced.key", "who")
                .property("ratelimit.limiters.forced.phase", "before-authentication")
                .property("ratelimit.limiters.forced.paths", "/forced")
                .limiter("staff", 1)
                .property("ratelimit.limiters.staff.skip-if", "role:ADMIN")
                .property("ratelimit.limiters.staff.paths", "/staff")
                .property("ratelimit.limiters.planned.plans.user", "1")
                .property("ratelimit.limiters.planned.plans.admin", "200")
                .property("ratelimit.limiters.planned.plan-by", "planByRole")
                .property("ratelimit.limiters.planned.window", "1h")
                .property("ratelimit.limiters.planned.paths", "/planned")
                .property("ratelimit.limiters.guess.paths", "/guessed")
                .property("ratelimit.limiters.member.paths", "/member/**")
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        STORE.decisions();
    }

    private static Answer get(String user, String path) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return RawHttp.get(application.base(), path, "Authorization: Basic " + credentials);
    }

    @Test
    void wrongCredentialsAreCountedByTheFirstPhaseAlone() throws Exception {
        for (int i = 0; i < 3; i++) {
            Answer wrong = get("mallory", "/guessed");
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(wrong.values("X-RateLimit-Remaining")).containsExactly(Integer.toString(2 - i));
        }
        assertThat(get("mallory", "/guessed").status()).isEqualTo(429);
        STORE.decisions();
        assertThat(get("mallory", "/member/a").status()).isEqualTo(401);
        assertThat(get("mallory", "/own").status()).isEqualTo(401);
        assertThat(STORE.decisions()).isEmpty();
    }

    @Test
    void secondPhaseCountsByWhoIsSignedIn() throws Exception {
        assertThat(get("alice", "/member/a").values("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(get("bob", "/member/a").values("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(get("alice", "/member/b").values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(get("alice", "/member/a").status()).isEqualTo(429);
        assertThat(get("bob", "/member/a").status()).isEqualTo(200);
    }

    @Test
    void annotationCountsByWhoIsSignedIn() throws Exception {
        assertThat(get("alice", "/own").status()).isEqualTo(200);
        assertThat(get("alice", "/own").status()).isEqualTo(429);
        assertThat(get("bob", "/own").status()).isEqualTo(200);
    }

    @Test
    void keyBeanKnowsTheUser() throws Exception {
        assertThat(get("alice", "/who").status()).isEqualTo(200);
        assertThat(get("alice", "/who").status()).isEqualTo(429);
        assertThat(get("bob", "/who").status()).isEqualTo(200);
    }

    @Test
    void beanThatAsksForTheUserBeforeAuthenticationIsWarnedAbout() throws Exception {
        Diagnostics diagnostics = application.context().getBean(Diagnostics.class);
        long before = diagnostics.found(Diagnostic.PRINCIPAL_TOO_EARLY);
        assertThat(get("alice", "/forced").status()).isEqualTo(200);
        assertThat(diagnostics.found(Diagnostic.PRINCIPAL_TOO_EARLY)).isEqualTo(before + 1);
    }

    @Test
    void rolesAreThoseOfTheAuthentication() throws Exception {
        assertThat(get("alice", "/planned").values("X-RateLimit-Limit")).containsExactly("1");
        assertThat(get("root", "/planned").values("X-RateLimit-Limit")).containsExactly("200");
        for (int i = 0; i < 2; i++) {
            assertThat(get("root", "/staff").values("X-RateLimit-Limit")).isEmpty();
        }
        assertThat(get("alice", "/staff").values("X-RateLimit-Remaining")).containsExactly("0");
    }

    /** Spring Security calls whoever it does not know by one name: all of them would share one count. */
    @Test
    void whoIsAnonymousIsNobody() throws Exception {
        Answer answer = RawHttp.get(application.base(), "/open");
        assertThat(answer.body()).contains("anonymousUser");
        HttpCall byAddress = DescribedCall.of("address:127.0.0.1");
        assertThat(application
                        .context()
                        .getBean(HttpRateLimiter.class)
                        .limiters()
                        .get("open")
                        .tryAcquire(byAddress, 0)
                        .statuses())
                .singleElement()
                .satisfies(status -> assertThat(status.remaining()).isEqualTo(99));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebFluxSecurity
    static class Secured {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/open")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .anonymous(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        KeyResolver<HttpCall> planByRole() {
            return call -> Key.of(call.hasRole("ADMIN") ? "admin" : "user");
        }

        @Bean
        KeyResolver<HttpCall> who() {
            return call -> call.principal().map(user -> Key.of(user.getName())).orElse(Key.absent());
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(List.of(
                    User.withUsername("alice").password("{noop}secret").build(),
                    User.withUsername("root")
                            .password("{noop}secret")
                            .roles("ADMIN")
                            .build(),
                    User.withUsername("bob").password("{noop}secret").build()));
        }
    }

    @RestController
    static class Members {

        @GetMapping({"/member/a", "/member/b", "/staff", "/planned", "/who", "/forced"})
        String member() {
            return "member";
        }

        @GetMapping("/own")
        @RateLimit("own")
        String own() {
            return "own";
        }

        @GetMapping("/open")
        @RateLimit(permits = 100, window = "1h", name = "open", key = "principal | client-address")
        Mono<String> open(ServerWebExchange exchange) {
            return exchange.getPrincipal().map(Principal::getName);
        }
    }
}
