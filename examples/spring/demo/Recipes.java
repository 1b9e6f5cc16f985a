package demo;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
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
    record Customer(String tenant, String team, String plan) {}

    @Component
    @Order(-100) // before the filter at -90 that counts by attributes
    static class ApiKeys extends OncePerRequestFilter {

        private final Map<String, Customer> issued =
                Map.of("key-of-ann", new Customer("acme", "sales", "pro"), "key-of-bob", new Customer("acme", "support", "free"));

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String key = request.getHeader("X-Api-Key");
            Customer customer = key == null ? null : issued.get(key);
            if (customer != null) { // only what is verified: a made-up key would be a fresh budget
                request.setAttribute("api-key", key);
                request.setAttribute("tenant", customer.tenant());
                request.setAttribute("team", customer.team());
                request.setAttribute("plan", customer.plan());
            }
            chain.doFilter(request, response);
        }
    }
    // endregion

    // region contracts
    @Bean
    Function<Key, LocalDate> contracts() { // asked with each request: keep the dates in memory
        Map<Key, LocalDate> begun = Map.of(Key.of("acme"), LocalDate.of(2026, 1, 31));
        return tenant -> begun.getOrDefault(tenant, LocalDate.of(2026, 1, 1));
    }
    // endregion

    // region customer-permits
    @Bean
    Function<String, Long> customerPermits(DataSource database) { // asked once a minute for each customer
        return customer -> {
            try (Connection connection = database.getConnection();
                    PreparedStatement query =
                            connection.prepareStatement("SELECT permits FROM customer WHERE name = ?")) {
                query.setString(1, customer);
                ResultSet row = query.executeQuery();
                return row.next() ? row.getLong(1) : null; // null: the property's permits
            } catch (SQLException e) {
                throw new IllegalStateException(e); // the last known permits apply
            }
        };
    }
    // endregion

    @Bean
    DataSource customers() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:customers;DB_CLOSE_DELAY=-1;INIT=CREATE TABLE IF NOT EXISTS customer"
                + " AS SELECT 'acme' AS name, 5000 AS permits");
        return database;
    }

    // region change
    void allow(Limiters<HttpCall> limiters, long permits) {
        limiters.change(limiters.spec("by-key").withPermits(null, null, permits)); // the one rule, which has no plans
    }
    // endregion

    // region custom-key
    @Bean
    KeyResolver<HttpCall> country() {
        return call -> call.headers("X-Country").stream().findFirst().map(Key::of).orElse(Key.absent());
    }
    // endregion

    // region usage
    @Component
    static class Usage implements DecisionListener {

        final Map<String, Long> permits = new ConcurrentHashMap<>(); // a job moves them to a table

        @Override
        public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
            if (decision.allowed()) {
                decision.statuses(limiter).stream()
                        .limit(1) // each limit of a limiter takes the same cost
                        .forEach(status -> add(status.charge(), status.charge().cost()));
            }
        }

        @Override
        public void onSettlement(String limiter, Decision part, long actual) {
            Charge charge = part.charges().get(0);
            add(charge, actual - charge.cost());
        }

        private void add(Charge charge, long more) {
            String who = charge.key().firstPresent().orElse("nobody");
            permits.merge(charge.limiter() + " of " + who, more, Long::sum);
        }
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
    KeyResolver<HttpCall> account() { // Ann, ann and "ann " are one
        return call -> call.request(HttpServletRequest.class)
                .map(request -> request.getParameter("name"))
                .map(name -> Key.of(name.strip().toLowerCase(Locale.ROOT)))
                .orElse(Key.absent());
    }

    @RestController
    static class LoginController {

        @PostMapping("/login")
        ResponseEntity<String> login(@RequestParam String name, @RequestParam String password) {
            return password.equals("right")
                    ? ResponseEntity.ok("welcome")
                    : ResponseEntity.status(HttpStatus.UNAUTHORIZED).body("wrong password");
        }
    }
    // endregion

    // region reset
    @RestController
    static class SupportController {

        private final Limiters<HttpCall> limiters;

        SupportController(HttpRateLimiter limiter) {
            this.limiters = limiter.limiters();
        }

        @DeleteMapping("/support/guesses/{name}")
        void unlock(@PathVariable String name) {
            Limit limit = limiters.spec("guesses").rules().get(0).limits().get(0);
            limiters.reset(List.of(new Charge("guesses", limit, Key.of(name))));
        }
    }
    // endregion

    @RestController
    static class Pages {

        @GetMapping({"/keyed", "/tenant", "/contract", "/customer", "/plan", "/role", "/batch", "/country", "/api/{page}", "/search", "/exports", "/checkout", "/ask", "/orders", "/reports"})
        String page() {
            return "served";
        }

        private final Usage usage;

        Pages(Usage usage) {
            this.usage = usage;
        }

        @GetMapping("/usage")
        Map<String, Long> usage() {
            return usage.permits;
        }
    }
}
