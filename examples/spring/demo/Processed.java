package demo;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that a test processes ahead of time, on Spring MVC and on WebFlux. */
@SpringBootApplication
public class Processed {

    /** What was started last. */
    public static ConfigurableApplicationContext context;

    public static void main(String[] arguments) {
        context = SpringApplication.run(Processed.class, arguments);
    }

    @Bean
    KeyResolver<HttpCall> tenant() {
        return call -> call.headers("X-Tenant").stream().findFirst().map(Key::of).orElseGet(Key::absent);
    }

    @Bean
    Mailer mailer() {
        return new Mailer();
    }

    static class Mailer {

        @RateLimit(permits = 1, window = "1h", key = "#tenant")
        public String send(String tenant) {
            return "sent to " + tenant;
        }
    }

    @RestController
    static class Pages {

        private final Mailer mailer;

        Pages(Mailer mailer) {
            this.mailer = mailer;
        }

        @GetMapping("/mails")
        String mails() {
            return mailer.send("acme");
        }

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }

        @GetMapping("/suggest")
        @RateLimit(permits = 1, window = "${my.window}", key = "tenant")
        String suggest() {
            return "suggested";
        }

        @GetMapping("/pages/one")
        String page() {
            return "page";
        }
    }
}
