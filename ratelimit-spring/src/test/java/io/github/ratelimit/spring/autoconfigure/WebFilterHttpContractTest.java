package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.spring.ExchangeCost;
import java.util.List;
import java.util.function.ToLongFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Limits on paths keep the promises of every adapter on WebFlux and Reactor Netty, where functions serve requests. */
class WebFilterHttpContractTest extends SpringHttpContract {

    private static final List<String> LIMITED = List.of("/limited/**", "/forwarded", "/twice", "/both", "/phases");

    @Override
    RunningApplication.Builder application(ToLongFunction<String> cost) {
        ExchangeCost asked = (name, exchange) -> cost.applyAsLong(name);
        return RunningApplication.of(Application.class)
                .reactive()
                .servingOnly()
                .bean(ExchangeCost.class, asked)
                .property("ratelimit.limiters.contract.paths", String.join(",", LIMITED) + ",/twice")
                .property("ratelimit.limiters.strict.paths", "/both, /secret/**")
                .property("ratelimit.limiters.late.paths", "/phases");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        RouterFunction<ServerResponse> routes() {
            return RouterFunctions.route()
                    .GET("/limited/thrown", request -> Mono.error(new IllegalStateException("thrown on purpose")))
                    .GET("/limited/{status}", Application::answer)
                    .HEAD("/limited/{status}", Application::answer)
                    .GET("/forwarded", Application::forward)
                    .GET("/secret/pot", request -> ServerResponse.ok().bodyValue(SERVED))
                    .GET("/{any}", request -> ServerResponse.ok().bodyValue("served"))
                    .build();
        }

        private static Mono<ServerResponse> answer(ServerRequest request) {
            return ServerResponse.status(Integer.parseInt(request.pathVariable("status")))
                    .bodyValue("answered");
        }

        /** Dispatched anew, and answered by then. */
        private static Mono<ServerResponse> forward(ServerRequest request) {
            DispatcherHandler dispatcher =
                    request.exchange().getApplicationContext().getBean(DispatcherHandler.class);
            return dispatcher
                    .handle(request.exchange()
                            .mutate()
                            .request(changed -> changed.path("/limited/200"))
                            .build())
                    .then(Mono.empty());
        }
    }
}
