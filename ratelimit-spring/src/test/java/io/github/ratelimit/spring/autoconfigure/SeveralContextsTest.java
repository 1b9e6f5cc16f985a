package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Issue 40, row 8: applications of several contexts, and of several dispatcher servlets. */
class SeveralContextsTest {

    private static final String MISSPELT = "@RateLimit(\"saerch\") on Misspelt.misspelt: no such limiter";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    static class Mailer {
        @RateLimit("mails")
        public void send() {}
    }

    @RestController
    static class Site {

        private final Mailer mailer;

        Site(Mailer mailer) {
            this.mailer = mailer;
        }

        @GetMapping("/named")
        @RateLimit("search")
        String named() {
            return "named";
        }

        @GetMapping("/behind")
        String behind() {
            mailer.send();
            return "behind";
        }
    }

    @RestController
    static class Describing {
        @GetMapping("/described")
        @RateLimit(permits = 1, window = "1h")
        String described() {
            return "described";
        }
    }

    @RestController
    static class Misspelt {
        @GetMapping("/misspelt")
        @RateLimit("saerch")
        String misspelt() {
            return "misspelt";
        }
    }

    private static RunningApplication.Builder application(Class<?>... sources) {
        return RunningApplication.of(sources)
                .servingOnly()
                .limiter("search", 1)
                .limiter("paths", 1)
                .property("ratelimit.limiters.paths.paths", "/named")
                .limiter("mails", 1)
                .property("ratelimit.limiters.mails.key", "everybody");
    }

    private static void limits(URI base, String path) throws Exception {
        assertThat(RawHttp.get(base, path).status()).as(path).isEqualTo(200);
        assertThat(RawHttp.get(base, path).status()).as(path).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parentAndChildBothLimit(boolean reactive) throws Exception {
        RunningApplication.Builder application =
                application(Application.class, Site.class, Describing.class).parent(Application.class, Mailer.class);
        try (RunningApplication running = (reactive ? application.reactive() : application).start()) {
            limits(running.base(), "/named");
            limits(running.base(), "/described");
            limits(running.base(), "/behind");
        }
    }

    @Test
    void childHasItsOwnLimitersAndTheStoreOfItsParent() throws Exception {
        RunningApplication.Builder application =
                application(Application.class, Site.class, Mailer.class).parent(Application.class, Mailer.class);
        try (RunningApplication running = application.start()) {
            limits(running.base(), "/named");
            running.context().getParent().getBean(Mailer.class).send();
            assertThat(RawHttp.get(running.base(), "/behind").status())
                    .as("one count of both")
                    .isEqualTo(429);
        }
    }

    @Test
    void misspeltNameInAChildStopsTheStart() {
        stops(application(Application.class, Misspelt.class).parent(Application.class), MISSPELT);
    }

    @Test
    void secondDispatcherServletLimits() throws Exception {
        try (RunningApplication running = application(Application.class, Second.class, Mailer.class)
                .property("second", Site.class.getName())
                .start()) {
            limits(running.base(), "/admin/named");
            limits(running.base(), "/admin/behind");
        }
    }

    @Test
    void misspeltNameInASecondDispatcherServletStopsTheStart() {
        stops(application(Application.class, Second.class).property("second", Misspelt.class.getName()), MISSPELT);
    }

    /** Its controllers are not known yet when limiters are made. */
    @Test
    void limiterThatIsDescribedInASecondDispatcherServletStopsTheStart() {
        stops(
                application(Application.class, Second.class).property("second", Describing.class.getName()),
                "@RateLimit(permits = 1, window = \"1h\") on Describing.described: describes a limiter");
    }

    private static void stops(RunningApplication.Builder application, String message) {
        assertThatThrownBy(() -> application.start().close())
                .hasRootCauseInstanceOf(InvalidRateLimitException.class)
                .rootCause()
                .hasMessageStartingWith(message);
    }

    @Configuration(proxyBeanMethods = false)
    static class Second {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second(@Value("${second}") Class<?> controller) {
            AnnotationConfigWebApplicationContext own = new AnnotationConfigWebApplicationContext();
            own.register(OwnMvc.class, controller);
            ServletRegistrationBean<DispatcherServlet> registration =
                    new ServletRegistrationBean<>(new DispatcherServlet(own), "/admin/*");
            registration.setName("second");
            registration.setLoadOnStartup(1);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class OwnMvc {}
}
