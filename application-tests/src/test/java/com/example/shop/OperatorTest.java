package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** An operator's levers behind Spring Security, and with a JSON mapper of the application. */
class OperatorTest {

    private static final String LIMITER = "/actuator/ratelimits/offers";
    private static final String[] OPERATOR = {"Authorization", Browser.basic("olga")};
    /** 401 where the error page is forbidden as well: the rejection is made before the password is read. */
    private static final List<Integer> FORBIDDEN = List.of(401, 403);

    private static final String BLOCK = "{\"client\":\"address:192.0.2.1\",\"duration\":\"1h\"}";

    /** Spring Boot makes the security of an application that has none. */
    @EnableAutoConfiguration
    static class AsItComes {}

    /** The code of operations.md. */
    @EnableAutoConfiguration
    static class Documented {

        // region operators
        @Bean
        @Order(1)
        SecurityFilterChain operators(HttpSecurity http) throws Exception {
            return http.securityMatcher("/actuator/ratelimits", "/actuator/ratelimits/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable()) // no browser signs in here
                    .build();
        }

        @Bean // unless you have one: your first chain removes Spring Boot's, and other paths would be open
        SecurityFilterChain others(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
        // endregion
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        return Start.of(
                application,
                "--management.endpoint.ratelimits.access=unrestricted",
                "--spring.security.user.name=olga",
                "--spring.security.user.password=secret",
                "--spring.security.user.roles=OPERATOR",
                "--spring.jackson.property-naming-strategy=SNAKE_CASE",
                "--ratelimit.limiters.orders.key=client-address", // not of that application's beans
                "--ratelimit.limiters.invoices.key=client-address",
                "--ratelimit.limiters.invoices.skip-if=role:ADMIN");
    }

    @Test
    void leversAreForbiddenUntilTheEndpointHasAChainOfItsOwn() {
        try (ConfigurableApplicationContext application = start(AsItComes.class)) {
            Browser operator = Browser.ofManagement(application);
            assertThat(operator.get(LIMITER, OPERATOR).statusCode()).isEqualTo(200);
            assertThat(operator.post(LIMITER, "{\"permits\":9}", OPERATOR).statusCode())
                    .isIn(FORBIDDEN);
            assertThat(operator.post(LIMITER + "/block", BLOCK, OPERATOR).statusCode())
                    .isIn(FORBIDDEN);
            assertThat(operator.send("DELETE", LIMITER + "/changes", OPERATOR).statusCode())
                    .isIn(FORBIDDEN);
        }
        try (ConfigurableApplicationContext application = start(Documented.class)) {
            Browser operator = Browser.ofManagement(application);
            assertThat(operator.get(LIMITER).statusCode()).isEqualTo(401);
            assertThat(operator.post(LIMITER, "{\"permits\":9}").statusCode()).isEqualTo(401);
            assertThat(operator.get("/actuator").statusCode())
                    .as("other paths are as closed as before")
                    .isEqualTo(401);
            assertThat(operator.get("/actuator/health").statusCode()).isEqualTo(200);
            assertThat(operator.get(LIMITER, OPERATOR).statusCode()).isEqualTo(200);
            assertThat(operator.post(LIMITER, "{\"permits\":9}", OPERATOR).body())
                    .contains("\"permits\":9,");
            assertThat(operator.send("DELETE", LIMITER + "/changes", OPERATOR).statusCode())
                    .isEqualTo(204);
            assertThat(operator.post(LIMITER + "/block", BLOCK, OPERATOR).statusCode())
                    .isEqualTo(200);
            assertThat(operator.send("DELETE", LIMITER + "/block?client=address:192.0.2.1", OPERATOR)
                            .statusCode())
                    .isEqualTo(204);
            assertThat(operator.send("DELETE", LIMITER + "?client=address:192.0.2.1", OPERATOR)
                            .statusCode())
                    .isEqualTo(204);
        }
    }

    @Test
    void namesInAnswersAreThoseOfThePagesWhateverTheApplicationsMapperIs() {
        try (ConfigurableApplicationContext application = start(Documented.class)) {
            Browser operator = Browser.ofManagement(application);
            assertThat(operator.get("/actuator/ratelimits", OPERATOR).body()).contains("\"onStoreFailure\":");
            assertThat(operator.post(LIMITER + "/block", BLOCK, OPERATOR).body())
                    .contains("\"onStoreFailure\":");
            assertThat(operator.get(LIMITER, OPERATOR).body()).contains("\"onStoreFailure\":");
            assertThat(operator.get(LIMITER + "?client=address:192.0.2.1", OPERATOR)
                            .body())
                    .contains("\"blockedUntil\":\"2", "\"resetAfter\":");
        }
    }
}
