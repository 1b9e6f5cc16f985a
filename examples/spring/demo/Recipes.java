package demo;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.servlet.RequestCost;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** The application of docs/recipes.md. A test compiles it and runs it with the properties of that page. */
@SpringBootApplication
public class Recipes {

    // region api-key
    record Customer(String tenant, String plan) {}

    @Component
    @Order(-100) // before the filter at -90 that counts by attributes
    static class ApiKeys extends OncePerRequestFilter {

        private final Map<String, Customer> issued =
                Map.of("key-of-ann", new Customer("acme", "pro"), "key-of-bob", new Customer("acme", "free"));

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String key = request.getHeader("X-Api-Key");
            Customer customer = key == null ? null : issued.get(key);
            if (customer != null) { // only what is verified: a made-up key would be a fresh budget
                request.setAttribute("api-key", key);
                request.setAttribute("tenant", customer.tenant());
                request.setAttribute("plan", customer.plan());
            }
            chain.doFilter(request, response);
        }
    }
    // endregion

    // region custom-key
    @Bean
    KeyResolver<HttpCall> country() {
        return call -> call.headers("X-Country").stream().findFirst().map(Key::of).orElse(Key.absent());
    }
    // endregion

    // region cost
    @Bean
    RequestCost batchCost() {
        return (limiter, request) -> limiter.equals("batch") ? Math.max(1, request.getIntHeader("X-Parts")) : 1;
    }
    // endregion

    // region role
    @Bean
    KeyResolver<HttpCall> role() { // read behind Spring Security, as every bean that does not say otherwise
        return call -> Key.of(call.hasRole("ADMIN") ? "admin" : "user");
    }
    // endregion

    // region login
    @Bean
    Limiter<String> guesses(Store store) { // in this process or on Redis, as the properties say
        KeyResolver<String> account = name -> Key.of(name.strip().toLowerCase(Locale.ROOT)); // Ann, ann and "ann " are one
        return Limiter.of(LimiterSpec.of("guesses", Limit.of(5, Duration.ofMinutes(15)), account), store);
    }

    @RestController
    static class LoginController {

        private final Limiter<String> guesses;

        LoginController(Limiter<String> guesses) {
            this.guesses = guesses;
        }

        @PostMapping("/login")
        ResponseEntity<String> login(@RequestParam String name, @RequestParam String password) {
            Decision guess = guesses.tryAcquire(name);
            if (!guess.allowed()) {
                long seconds = 1 + guess.retryAfter().orElse(Duration.ZERO).toSeconds();
                return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
                        .header(HttpHeaders.RETRY_AFTER, "" + seconds)
                        .body("too many wrong passwords");
            }
            if (!password.equals("right")) {
                return ResponseEntity.status(HttpStatus.UNAUTHORIZED).body("wrong password");
            }
            guesses.refund(guess); // only wrong passwords count
            return ResponseEntity.ok("welcome");
        }
    }
    // endregion

    // region reset
    @RestController
    static class SupportController {

        private final Limiter<String> guesses;

        SupportController(Limiter<String> guesses) {
            this.guesses = guesses;
        }

        @DeleteMapping("/support/guesses/{name}")
        void unlock(@PathVariable String name) {
            guesses.reset(name);
        }
    }
    // endregion

    @RestController
    static class Pages {

        @GetMapping({"/keyed", "/tenant", "/plan", "/role", "/batch", "/country", "/api/{page}", "/search", "/exports", "/checkout"})
        String page() {
            return "served";
        }
    }
}
