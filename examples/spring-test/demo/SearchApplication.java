package demo;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The application whose tests docs/testing.md shows. */
@SpringBootApplication
public class SearchApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SearchApplication.class, arguments);
    }

    // region controller
    @RestController
    static class SearchController {

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }
    }
    // endregion
}
