package demo;

import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** The application of docs/spring.md. A test compiles and runs it on each line of Spring Boot. */
@SpringBootApplication
public class QuickStart {

    public static void main(String[] arguments) {
        SpringApplication.run(QuickStart.class, arguments);
    }

    // region controller
    @RestController
    @RateLimit("site") // every method of the class
    static class SearchController {

        @GetMapping("/search")
        @RateLimit("search") // and this one beside it
        String search() {
            return "found";
        }

        @GetMapping("/suggest")
        @RateLimit(permits = 2, window = "1s", key = {"client-address", "header:X-Tenant"})
        String suggest() {
            return "suggested";
        }
    }
    // endregion

    // region own-shape
    @RestControllerAdvice
    static class Rejections {

        @ExceptionHandler
        ResponseEntity<Map<String, Object>> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()) // 429, or 503 without a store; the fields are there
                    .body(Map.of("error", rejection.getMessage()));
        }
    }
    // endregion
}
