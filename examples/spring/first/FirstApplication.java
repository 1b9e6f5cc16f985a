// region whole
package first;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
public class FirstApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(FirstApplication.class, arguments);
    }

    @RestController
    static class SearchController {

        @GetMapping("/search")
        @RateLimit("search") // described in application.yml
        String search(@RequestParam String q) {
            return "found " + q;
        }

        @GetMapping("/ping")
        @RateLimit(permits = 600, window = "1m", key = "client-address") // described here
        String ping() {
            return "pong";
        }
    }
}
// endregion
