package com.example.shop;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.CookieLocaleResolver;
import org.springframework.web.servlet.i18n.LocaleChangeInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Spring MVC behind Spring Security: a form for people, passwords for programs, Thymeleaf pages, Actuator on a port of its own. */
@SpringBootApplication
public class ShopApplication {

    @Bean
    @Order(1)
    SecurityFilterChain programs(HttpSecurity http) throws Exception {
        return http.securityMatcher("/api/**")
                .cors(cors -> cors.configurationSource(request -> frontEnd()))
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain people(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers(
                                "/catalogue", "/offers", "/prices/**", "/actuator/health/**")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }

    @Bean
    FilterRegistrationBean<CorsFilter> crossOrigin() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/catalogue", frontEnd());
        return new FilterRegistrationBean<>(new CorsFilter(source));
    }

    private static CorsConfiguration frontEnd() {
        CorsConfiguration cors = new CorsConfiguration();
        cors.addAllowedOrigin("https://front.example");
        return cors;
    }

    @Bean
    LocaleResolver localeResolver() {
        CookieLocaleResolver cookie = new CookieLocaleResolver("language");
        cookie.setDefaultLocale(Locale.ENGLISH);
        return cookie;
    }

    /** By {@code ?locale=de}. */
    @Bean
    WebMvcConfigurer language() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new LocaleChangeInterceptor());
            }
        };
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

    @Service
    static class Prices {

        @RateLimit("prices")
        public String now() {
            return "42";
        }

        @RateLimit("prices")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("42");
        }
    }

    /** Each asks twice, and is rejected at the second call at the latest. */
    @RestController
    @RequestMapping("/prices")
    static class Quotes {

        private final Prices prices;

        Quotes(Prices prices) {
            this.prices = prices;
        }

        @GetMapping("/stream")
        SseEmitter stream() throws IOException {
            SseEmitter events = new SseEmitter();
            events.send("begun");
            try {
                events.send(prices.now() + prices.now());
                events.complete();
            } catch (RateLimitException e) {
                events.completeWithError(e);
            }
            return events;
        }

        @GetMapping("/written")
        void written(HttpServletResponse response) throws IOException {
            response.getWriter().write("begun");
            response.getWriter().write(prices.now() + prices.now());
        }

        @GetMapping("/joined")
        String joined() {
            return prices.later().join() + prices.later().join();
        }
    }
}
