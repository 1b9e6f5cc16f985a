package com.example.legacy;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.filter.OncePerRequestFilter;

/** An application that has grown: a filter that forwards, advices of several scopes, YAML with numbers. */
@SpringBootApplication
public class LegacyApplication {

    /** Answers old addresses by new ones, and lets caches keep every response. */
    @Component
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Addresses extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            response.setHeader("Cache-Control", "public, max-age=300");
            if (request.getRequestURI().startsWith("/old/")) {
                request.getRequestDispatcher(request.getRequestURI().substring("/old".length()))
                        .forward(request, response);
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    /** Made for each request. */
    @Bean
    @RequestScope
    KeyResolver<HttpCall> visitor(HttpServletRequest request) {
        return call -> Key.of(request.getHeader("X-Visitor"));
    }

    @Bean
    @RequestScope
    Predicate<HttpCall> isStaff(HttpServletRequest request) {
        return call -> request.getHeader("X-Visitor").equals("staff");
    }

    @Service
    static class Mailer {

        @RateLimit("mails")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("sent");
        }
    }

    @RestController
    static class Api {

        private final Mailer mailer;

        Api(Mailer mailer) {
            this.mailer = mailer;
        }

        @GetMapping("/joined")
        String joined() {
            return mailer.later().join();
        }

        @GetMapping("/visited")
        String visited() {
            return "visited";
        }

        @GetMapping("/forwarded")
        String forwarded() {
            return "forwarded";
        }

        @GetMapping("/by-path")
        String byPath() {
            return "by path";
        }

        @GetMapping("/annotated")
        @RateLimit("annotated")
        String annotated() {
            return "annotated";
        }
    }

    @Controller
    static class Pages {

        @GetMapping("/page")
        @ResponseBody
        String page() {
            return "page";
        }
    }

    @RestControllerAdvice(annotations = RestController.class)
    static class ApiErrors {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> failed() {
            return ResponseEntity.internalServerError().body("failed");
        }

        @ExceptionHandler
        ResponseEntity<Map<String, Object>> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body(Map.of("api", "slow down"));
        }
    }

    @RestControllerAdvice(assignableTypes = Pages.class)
    static class PageErrors {

        @ExceptionHandler
        ResponseEntity<String> rejected(RateLimitException rejection) {
            return ResponseEntity.status(rejection.verdict().status()).body("the page says: slow down");
        }
    }
}
