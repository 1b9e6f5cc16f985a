package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Limits before and after Spring Security has found out who is calling. Each test has limiters and callers of its own. */
class PhasesTest {

    private static final CountingStore STORE = new CountingStore();

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.of(Secured.class, Members.class)
                .secured()
                .bean(Store.class, STORE)
                .limiter("member", 2)
                .property("ratelimit.limiters.member.key", "principal | client-address")
                .limiter("strict", 1)
                .limiter("guess", 3)
                .limiter("front", 3)
                .limiter("back", 1)
                .property("ratelimit.limiters.back.key", "principal")
                .limiter("whole", 1000)
                .property("ratelimit.limiters.whole.key", "principal")
                .limiter("plain", 1000)
                .limiter("late", 1000)
                .property("ratelimit.limiters.late.phase", "after-authentication")
                .limiter("inner", 1)
                .property("ratelimit.limiters.member.paths", "/member/**")
                .property("ratelimit.limiters.guess.paths", "/guessed")
                .property("ratelimit.limiters.front.paths", "/twice")
                .property("ratelimit.limiters.back.paths", "/twice")
                .property("ratelimit.limiters.whole.paths", "/whole/**, /other/**")
                .property("ratelimit.limiters.late.paths", "/late")
                .limiter("who", 1)
                .property("ratelimit.limiters.who.key", "who")
                .property("ratelimit.limiters.who.paths", "/beans/who")
                .limiter("exempt", 1)
                .property("ratelimit.limiters.exempt.skip-if", "isAlice")
                .property("ratelimit.limiters.exempt.paths", "/beans/exempt")
                .limiter("said", 3)
                .property("ratelimit.limiters.said.key", "early")
                .property("ratelimit.limiters.said.paths", "/beans/said")
                .limiter("forced", 3)
                .property("ratelimit.limiters.forced.key", "who")
                .property("ratelimit.limiters.forced.skip-if", "isAlice")
                .property("ratelimit.limiters.forced.phase", "before-authentication")
                .property("ratelimit.limiters.forced.paths", "/beans/forced")
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        STORE.decisions();
    }

    private static Answer get(String user, String path) throws Exception {
        return send("GET", user, path);
    }

    private static Answer send(String method, String user, String path) throws Exception {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return RawHttp.send(
                application.base(), method + " " + path + " HTTP/1.1", "Authorization: Basic " + credentials);
    }

    /** The filter once counted by address what the annotation counted by name, and a rejection gave one the other's permits back. */
    @Test
    void budgetIsOneBeforeAndAfterSignIn() throws Exception {
        assertThat(get("bob", "/strict").status())
                .as("takes what strict grants")
                .isEqualTo(200);

        assertThat(get("alice", "/member/free").status()).isEqualTo(200);
        assertThat(get("alice", "/own").status()).isEqualTo(200);
        assertThat(get("alice", "/own").status()).isEqualTo(429);
        assertThat(get("alice", "/member/free").status()).isEqualTo(429);
        assertThat(get("alice", "/member/strict").status()).isEqualTo(429);
        assertThat(get("alice", "/own").status())
                .as("a rejected request gives back what it took, and nothing else")
                .isEqualTo(429);
        assertThat(get("alice", "/member/free").status()).isEqualTo(429);
        assertThat(get("bob", "/own").status()).as("somebody else").isEqualTo(200);
    }

    @Test
    void wrongCredentialsAreCountedWhereTheLimiterDecidesBefore() throws Exception {
        for (int remaining = 2; remaining >= 0; remaining--) {
            Answer rejected = get("mallory", "/guessed");
            assertThat(rejected.status()).isEqualTo(401);
            assertThat(rejected.values("X-RateLimit-Remaining")).containsExactly(Integer.toString(remaining));
        }
        assertThat(get("mallory", "/guessed").status()).isEqualTo(429);
        assertThat(get("alice", "/guessed").status()).isEqualTo(429);
    }

    @Test
    void wrongCredentialsAreNotCountedWhereItDecidesAfter() throws Exception {
        for (int i = 0; i < 3; i++) {
            Answer rejected = get("mallory", "/member/free");
            assertThat(rejected.status()).isEqualTo(401);
            assertThat(rejected.values("X-RateLimit-Limit")).isEmpty();
        }
        assertThat(STORE.decisions()).isEmpty();
    }

    @Test
    void rejectionInTheSecondPhaseGivesTheFirstItsPermitsBack() throws Exception {
        assertThat(get("alice", "/twice").status()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            Answer rejected = get("alice", "/twice");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(rejected.values("X-RateLimit-Limit")).containsExactly("1");
        }
        assertThat(get("bob", "/twice").status()).isEqualTo(200);
        assertThat(get("carol", "/twice").status()).isEqualTo(200);
        Answer fourth = get("dave", "/twice");
        assertThat(fourth.status()).isEqualTo(429);
        assertThat(fourth.values("X-RateLimit-Limit")).as("of the first phase").containsExactly("3");
    }

    @Test
    void pathRuleOfTheSecondPhaseAndAnnotationsAreDecidedOneAfterTheOther() throws Exception {
        Answer answer = get("alice", "/whole/7");
        assertThat(answer.body()).isEqualTo("7");
        assertThat(STORE.decisions()).containsExactly(List.of("whole"), List.of("plain", "Members.whole-int-2"));
        assertThat(send("HEAD", "alice", "/whole/7").status()).isEqualTo(200);
        assertThat(STORE.decisions()).hasSize(2);
    }

    @Test
    void explicitPhaseHolds() throws Exception {
        assertThat(get("mallory", "/late").values("X-RateLimit-Limit")).isEmpty();
        assertThat(get("alice", "/late").values("X-RateLimit-Limit")).containsExactly("1000");
    }

    @Test
    void keyBeanKnowsTheUser() throws Exception {
        assertThat(get("alice", "/beans/who").status()).isEqualTo(200);
        assertThat(get("alice", "/beans/who").status()).isEqualTo(429);
        assertThat(get("bob", "/beans/who").status()).isEqualTo(200);
    }

    @Test
    void conditionBeanKnowsTheUser() throws Exception {
        assertThat(get("bob", "/beans/exempt").status()).isEqualTo(200);
        assertThat(get("bob", "/beans/exempt").status()).isEqualTo(429);
        assertThat(get("alice", "/beans/exempt").status()).isEqualTo(200);
    }

    @Test
    void beanDecidesBeforeAuthenticationIfItSaysSo() throws Exception {
        assertThat(get("mallory", "/beans/said").status()).isEqualTo(401);
        assertThat(get("alice", "/beans/said").values("X-RateLimit-Remaining")).containsExactly("1");
    }

    @Test
    void beanThatAsksForTheUserBeforeAuthenticationIsWarnedAbout() throws Exception {
        Diagnostics diagnostics = application.context().getBean(Diagnostics.class);
        try (Heard heard = Heard.of(Diagnostics.class)) {
            assertThat(get("alice", "/beans/said").status()).isEqualTo(200);
            long before = diagnostics.found(Diagnostic.PRINCIPAL_TOO_EARLY);
            assertThat(get("alice", "/beans/forced").status()).isEqualTo(200);
            assertThat(get("alice", "/beans/forced").status()).isEqualTo(200);
            assertThat(diagnostics.found(Diagnostic.PRINCIPAL_TOO_EARLY)).isEqualTo(before + 2);
            assertThat(heard.lines()).singleElement().asString().startsWith("RL-010: ");
        }
    }

    @Test
    void lookingForAnnotationsLeavesNoTrace() throws Exception {
        Answer answer = get("alice", "/whole/8");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.values("Left-Behind")).containsExactly("");
    }

    @Test
    void whatNoMethodHandlesIsCountedByItsPathAlone() throws Exception {
        assertThat(send("DELETE", "alice", "/whole/7").status()).isEqualTo(405);
        assertThat(get("alice", "/whole/nothing/there").status()).isEqualTo(404);
        assertThat(STORE.decisions()).containsExactly(List.of("whole"), List.of("whole"));
    }

    /** Its path would be a controller's were it the dispatcher servlet's. */
    @Test
    void otherServletsPathsAreNotTakenForControllers() throws Exception {
        assertThat(get("alice", "/other/inner").body()).isEqualTo("other servlet");
        assertThat(STORE.decisions()).containsExactly(List.of("whole"));
        assertThat(get("alice", "/inner").status()).isEqualTo(200);
    }

    @Test
    void ambiguousPathIsRejectedBeforeAnybodySignsIn() throws Exception {
        assertThat(get("mallory", "/member/%2e%2e/whole/7").status()).isEqualTo(400);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Secured {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            InMemoryUserDetailsManager users = new InMemoryUserDetailsManager();
            List.of("alice", "bob", "carol", "dave")
                    .forEach(name -> users.createUser(
                            User.withUsername(name).password("{noop}secret").build()));
            return users;
        }

        @Bean
        KeyResolver<HttpCall> who() {
            return call -> call.principal().map(user -> Key.of(user.getName())).orElse(Key.absent());
        }

        @Bean
        Predicate<HttpCall> isAlice() {
            return call -> call.principal()
                    .filter(user -> user.getName().equals("alice"))
                    .isPresent();
        }

        @Bean
        KeyResolver<HttpCall> early() {
            return new KeyResolver<>() {
                @Override
                public Key resolve(HttpCall call) {
                    return Key.of(call.method());
                }

                @Override
                public Phase phase() {
                    return Phase.BEFORE_AUTHENTICATION;
                }
            };
        }

        @Bean
        FilterRegistrationBean<Filter> rightBefore() {
            return at(-91, (request, response, chain) -> {
                request.setAttribute("names before", names(request));
                chain.doFilter(request, response);
            });
        }

        @Bean
        FilterRegistrationBean<Filter> rightAfter() {
            return at(-89, (request, response, chain) -> {
                List<String> names = names(request);
                names.remove("names before");
                names.removeAll((List<?>) request.getAttribute("names before"));
                ((HttpServletResponse) response).setHeader("Left-Behind", String.join(",", names));
                chain.doFilter(request, response);
            });
        }

        private static FilterRegistrationBean<Filter> at(int order, Filter filter) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setName("at" + order);
            registration.setOrder(order);
            return registration;
        }

        private static List<String> names(ServletRequest request) {
            return Collections.list(request.getAttributeNames());
        }

        @Bean
        ServletRegistrationBean<HttpServlet> other() {
            HttpServlet servlet = new HttpServlet() {
                private static final long serialVersionUID = 1;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().write("other servlet");
                }
            };
            return new ServletRegistrationBean<>(servlet, "/other/*");
        }
    }

    @RestController
    static class Members {

        @GetMapping("/member/free")
        String free() {
            return "free";
        }

        @GetMapping("/member/strict")
        @RateLimit("strict")
        String memberStrict() {
            return "strict";
        }

        @GetMapping("/strict")
        @RateLimit("strict")
        String strict() {
            return "strict";
        }

        @GetMapping("/own")
        @RateLimit("member")
        String own() {
            return "own";
        }

        @GetMapping("/guessed")
        String guessed() {
            return "guessed";
        }

        @GetMapping("/twice")
        String twice() {
            return "twice";
        }

        @GetMapping("/whole/{id}")
        @RateLimit("plain")
        @RateLimit(permits = 1000, window = "1h")
        String whole(@PathVariable int id) {
            return Integer.toString(id);
        }

        @GetMapping("/beans/{name}")
        String beans(@PathVariable String name) {
            return name;
        }

        @GetMapping("/late")
        String late() {
            return "late";
        }

        @GetMapping("/inner")
        @RateLimit("inner")
        String inner() {
            return "inner";
        }
    }
}
