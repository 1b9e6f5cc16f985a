package com.example.shop;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.security.Principal;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

/** Spring MVC behind Spring Security: a form for people, passwords for programs, Thymeleaf pages, Actuator on a port of its own. */
@SpringBootApplication
public class ShopApplication {

    @Bean
    @Order(1)
    SecurityFilterChain programs(HttpSecurity http) throws Exception {
        return http.securityMatcher("/api/**")
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain people(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/catalogue", "/offers", "/actuator/health/**")
                                .permitAll()
                                .anyRequest()
                                .authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("alice")
                        .password("{noop}secret")
                        .roles("USER")
                        .build(),
                User.withUsername("bob").password("{noop}secret").roles("USER").build(),
                User.withUsername("carol")
                        .password("{noop}secret")
                        .roles("USER", "ADMIN")
                        .build());
    }

    /** Counts by the signed-in user. */
    @Bean
    KeyResolver<HttpCall> customer() {
        return call -> call.principal().map(Principal::getName).map(Key::of).orElse(Key.absent());
    }

    @Bean
    Predicate<HttpCall> isAlice() {
        return call -> call.principal().map(Principal::getName).orElse("").equals("alice");
    }

    /** How many sessions the container has opened. */
    @Bean
    Sessions sessions() {
        return new Sessions();
    }

    static final class Sessions implements HttpSessionListener {

        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            opened.incrementAndGet();
        }

        int opened() {
            return opened.get();
        }
    }

    @Controller
    static class Pages {

        @GetMapping("/catalogue")
        @ResponseBody
        String catalogue() {
            return "catalogue";
        }

        @GetMapping("/offers")
        @RateLimit("offers")
        @ResponseBody
        String offers() {
            return "offers";
        }
    }

    @RestController
    static class Api {

        @GetMapping("/api/orders")
        String orders() {
            return "orders";
        }

        @GetMapping("/api/invoices")
        String invoices() {
            return "invoices";
        }

        @PostMapping("/api/reports")
        @RateLimit("reports")
        String reports() {
            return "report";
        }
    }
}
