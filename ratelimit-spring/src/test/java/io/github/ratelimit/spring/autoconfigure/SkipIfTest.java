package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Phase;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimit;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rules that do not apply to whom the configuration names. Each test has a limiter of its own. */
class SkipIfTest {

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.of(Application.class, Services.class)
                .secured()
                .property("ratelimit.http.trusted-proxies", "127.0.0.1")
                .limiter("staff", 1)
                .property("ratelimit.limiters.staff.skip-if", "role:ADMIN")
                .limiter("network", 1)
                .property("ratelimit.limiters.network.skip-if[0]", "203.0.113.0/24")
                .property("ratelimit.limiters.network.skip-if[1]", "2001:db8:1:2::7")
                .limiter("internal", 1)
                .property("ratelimit.limiters.internal.skip-if", "internal,role:ADMIN")
                .property("ratelimit.limiters.partly.rules.narrow.permits", "1")
                .property("ratelimit.limiters.partly.rules.narrow.window", "1h")
                .property("ratelimit.limiters.partly.rules.narrow.skip-if", "internal")
                .property("ratelimit.limiters.partly.rules.wide.permits", "100")
                .property("ratelimit.limiters.partly.rules.wide.window", "1h")
                .property("ratelimit.limiters.staff.paths", "/staff")
                .property("ratelimit.limiters.network.paths", "/network")
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static Answer get(String user, String path, String... fields) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>(List.of(fields));
        all.add("Authorization: Basic " + credentials);
        return RawHttp.get(application.base(), path, all.toArray(String[]::new));
    }

    private static void assertUnlimited(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.values("X-RateLimit-Limit")).isEmpty();
    }

    @Test
    void ruleIsSkippedForARoleOnceItIsKnown() throws Exception {
        assertThat(application
                        .context()
                        .getBean(HttpRateLimiter.class)
                        .limiters()
                        .spec("staff")
                        .phase())
                .isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(get("ann", "/staff").values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(get("ann", "/staff").status()).isEqualTo(429);
        for (int i = 0; i < 3; i++) {
            assertUnlimited(get("root", "/staff"));
        }
        assertThat(get("ann", "/staff").status()).isEqualTo(429);
    }

    @Test
    void ruleIsSkippedForAddressesAsTheyAreResolved() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertUnlimited(get("ann", "/network", "X-Forwarded-For: 203.0.113.9"));
            assertUnlimited(get("ann", "/network", "X-Forwarded-For: 2001:DB8:1:2:0::7"));
        }
        assertThat(get("ann", "/network", "X-Forwarded-For: 203.0.113.9, 198.51.100.1")
                        .values("X-RateLimit-Remaining"))
                .as("who claims to stand behind an address of the range does not")
                .containsExactly("0");
        assertThat(get("ann", "/network", "X-Forwarded-For: 2001:db8:1:2::8").values("X-RateLimit-Remaining"))
                .as("beside it in its network")
                .containsExactly("0");
    }

    @Test
    void ruleIsSkippedForWhatABeanSaysAndTakesPartInNothingThen() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertUnlimited(get("ann", "/internal", "X-Internal: yes"));
            assertUnlimited(get("root", "/internal"));
        }
        assertThat(application
                        .context()
                        .getBean(MeterRegistry.class)
                        .find("ratelimit.decisions")
                        .tag("limiter", "internal")
                        .counter())
                .as("nothing was decided")
                .isNull();
        assertThat(get("ann", "/internal").values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(get("ann", "/internal").status()).isEqualTo(429);
    }

    @Test
    void otherRulesOfTheLimiterStillApply() throws Exception {
        assertThat(get("ann", "/partly", "X-Internal: yes").values("X-RateLimit-Remaining"))
                .containsExactly("99");
        assertThat(get("ann", "/partly").values("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(get("ann", "/partly").status()).isEqualTo(429);
        assertThat(get("ann", "/partly", "X-Internal: yes").values("X-RateLimit-Remaining"))
                .containsExactly("97");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiterString = " -> ",
            value = {
                "intrenal -> no such condition: 'intrenal'; known: role:<ROLE>, an address range such as 10.0.0.0/8, or the name of a Predicate<HttpCall> bean: internal",
                "role: -> no such condition: 'role:'; known: role:<ROLE>,",
                "users -> no such condition: 'users'; known:",
                "10.0.0.1/8 -> '10.0.0.1/8' has address bits behind its prefix; write 10.0.0.0/8",
                "::/0 -> '::/0': the prefix must be 1..128; a range cannot hold every address",
            })
    void unknownConditionStopsTheStart(String condition, String message) {
        stops("ratelimit.limiters.a.skip-if[1]=" + condition, "ratelimit.limiters.a.skip-if[1]: " + message);
    }

    @Test
    void roleBeforeItIsKnownStopsTheStart() {
        stops(
                "ratelimit.limiters.a.skip-if[1]=role:ADMIN",
                "ratelimit.limiters.a.phase: limiter 'a': a rule needs the user");
    }

    private static void stops(String condition, String message) {
        new WebApplicationContextRunner()
                .withConfiguration(Ours.autoConfigurations())
                .withBean("internal", Predicate.class, () -> new Application().internal())
                .withPropertyValues(
                        "ratelimit.limiters.a.permits=1",
                        "ratelimit.limiters.a.window=1h",
                        "ratelimit.limiters.a.phase=before-authentication",
                        "ratelimit.limiters.a.skip-if[0]=internal",
                        condition)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageStartingWith(message));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Predicate<HttpCall> internal() {
            return call -> !call.headers("X-Internal").isEmpty();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}secret").build(),
                    User.withUsername("root")
                            .password("{noop}secret")
                            .roles("ADMIN")
                            .build());
        }
    }

    @RestController
    static class Services {

        @GetMapping("/staff")
        String staff() {
            return "staff";
        }

        @GetMapping("/network")
        String network() {
            return "network";
        }

        @GetMapping("/internal")
        @RateLimit("internal")
        String internal() {
            return "internal";
        }

        @GetMapping("/partly")
        @RateLimit("partly")
        String partly() {
            return "partly";
        }
    }
}
