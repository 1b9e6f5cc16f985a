package com.example.feed;

import io.github.ratelimit.Decision;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitedCall;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** WebFlux behind Spring Security, Actuator on a port of its own, and an advice for the controllers of one package. */
@SpringBootApplication
public class FeedApplication {

    @Bean
    SecurityWebFilterChain chain(ServerHttpSecurity http) {
        return http.cors(cors -> cors.configurationSource(exchange -> frontEnd("/feed/today", exchange)))
                .authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/me")
                        .authenticated()
                        .anyExchange()
                        .permitAll())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    CorsWebFilter crossOrigin() {
        return new CorsWebFilter(exchange -> frontEnd("/news", exchange));
    }

    private static @Nullable CorsConfiguration frontEnd(String path, ServerWebExchange exchange) {
        CorsConfiguration cors = new CorsConfiguration();
        cors.addAllowedOrigin("https://front.example");
        return exchange.getRequest().getURI().getPath().equals(path) ? cors : null;
    }

    @Bean
    MapReactiveUserDetailsService users() {
        return new MapReactiveUserDetailsService(
                User.withUsername("alice")
                        .password("{noop}secret")
                        .roles("USER")
                        .build(),
                User.withUsername("bob").password("{noop}secret").roles("USER").build());
    }

    record Question(long maxTokens, long used) {}

    @RestController
    static class Feed {

        @GetMapping("/feed")
        @RateLimit("feed")
        Mono<String> feed() {
            return Mono.just("feed");
        }

        @PostMapping("/answers")
        @RateLimit("asked")
        @RateLimit(value = "tokens", cost = "#question.maxTokens()")
        Flux<String> answers(@RequestBody Question question, Decision decision) {
            long left = decision.statuses("tokens").get(0).remaining();
            return Flux.usingWhen(
                    Mono.deferContextual(context -> Mono.just(RateLimitedCall.of(context))),
                    call -> Flux.just("tokens left: ", String.valueOf(left)),
                    call -> Mono.fromFuture(call.settle("tokens", question.used())));
        }

        @GetMapping("/me")
        Mono<String> me() {
            return Mono.just("me");
        }

        @GetMapping("/news")
        Mono<String> news() {
            return Mono.just("news");
        }
    }

    @Service
    static class Prices {

        @RateLimit("prices")
        public Mono<String> now() {
            return Mono.just("42");
        }

        @RateLimit("prices")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("42");
        }
    }

    /** Each asks twice, and is rejected at the second call at the latest. */
    @RestController
    @RequestMapping("/prices")
    static class Quotes {

        private final Prices prices;

        Quotes(Prices prices) {
            this.prices = prices;
        }

        private Mono<String> twice() {
            return prices.now().zipWith(prices.now(), String::concat);
        }

        @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> stream() {
            return Flux.just("begun").concatWith(twice());
        }

        @GetMapping("/written")
        Mono<Void> written(ServerHttpResponse response) {
            byte[] begun = "begun".getBytes(StandardCharsets.UTF_8);
            return response.writeWith(Mono.just(response.bufferFactory().wrap(begun)))
                    .then(twice())
                    .then();
        }

        @GetMapping("/joined")
        String joined() {
            return prices.later().join() + prices.later().join();
        }
    }

    @Bean
    RouterFunction<ServerResponse> functions(Prices prices) {
        return RouterFunctions.route()
                .GET(
                        "/functions/joined",
                        request -> ServerResponse.ok()
                                .bodyValue(
                                        prices.later().join() + prices.later().join()))
                .build();
    }

    @RestControllerAdvice(basePackages = "com.example.feed")
    static class Errors {

        @ExceptionHandler
        ResponseEntity<Map<String, Object>> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body(Map.of("feed", "slow down"));
        }
    }
}
