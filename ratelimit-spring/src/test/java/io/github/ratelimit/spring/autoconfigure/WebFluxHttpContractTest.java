package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.RateLimit;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The annotation keeps the promises of every adapter on WebFlux and Reactor Netty. */
class WebFluxHttpContractTest extends SpringHttpContract {

    @Override
    RunningApplication.Builder application(ToLongFunction<String> cost) {
        ExchangeCost asked = (name, exchange) -> cost.applyAsLong(name);
        return RunningApplication.of(Application.class, Limited.class, Others.class)
                .reactive()
                .servingOnly()
                .bean(ExchangeCost.class, asked)
                .property("ratelimit.limiters.contract.paths", "/twice, /phases");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    @RequestMapping("/limited")
    @RateLimit("contract")
    static class Limited {

        @GetMapping("/{status:\\d+}")
        Mono<ResponseEntity<Map<String, Integer>>> answer(@PathVariable int status) {
            return Mono.just(ResponseEntity.status(status).body(Map.of("status", status)));
        }

        @GetMapping("/thrown")
        Mono<Void> fail() {
            return Mono.error(new IllegalStateException("thrown on purpose"));
        }
    }

    @RestController
    static class Others {

        private final DispatcherHandler dispatcher;

        Others(DispatcherHandler dispatcher) {
            this.dispatcher = dispatcher;
        }

        @GetMapping("/forwarded")
        @RateLimit("contract")
        Mono<Void> forward(ServerWebExchange exchange) {
            return dispatcher.handle(exchange.mutate()
                    .request(request -> request.path("/limited/200"))
                    .build());
        }

        @GetMapping("/twice")
        @RateLimit("contract")
        @RateLimit("contract")
        String twice() {
            return "twice";
        }

        @GetMapping("/both")
        @RateLimit("contract")
        @RateLimit("strict")
        Mono<String> both() {
            return Mono.just("both");
        }

        @GetMapping("/phases")
        @RateLimit("late")
        String phases() {
            return "phases";
        }

        @GetMapping("/secret/pot")
        @RateLimit("strict")
        String pot() {
            return SERVED;
        }

        @GetMapping("/free")
        String free() {
            return "free";
        }
    }
}
