package demo;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The WebFlux application of docs/spring.md. A test compiles and runs it on each line of Spring Boot, without the servlet API. */
@SpringBootApplication
public class Reactive {

    public static void main(String[] arguments) {
        SpringApplication.run(Reactive.class, arguments);
    }

    // region webflux
    @RestController
    static class SearchController {

        @GetMapping("/search")
        @RateLimit("search")
        Mono<String> search() {
            return Mono.just("found"); // asked for only when the limiter has allowed the request
        }
    }

    @Bean
    RouterFunction<ServerResponse> pages() { // limited by the paths of a limiter, as nothing carries an annotation
        return RouterFunctions.route()
                .GET("/pages/{id}", request -> ServerResponse.ok().bodyValue("page"))
                .build();
    }
    // endregion

    // region webflux-own-shape
    @RestControllerAdvice
    static class Rejections {

        @ExceptionHandler
        ResponseEntity<Map<String, Object>> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status())
                    .body(Map.of("error", rejection.getMessage()));
        }
    }
    // endregion
}
