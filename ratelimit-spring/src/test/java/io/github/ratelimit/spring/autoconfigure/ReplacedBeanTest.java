package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.RateLimit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.convention.TestBean;

/** A test puts an object of its own in the place of a limited bean, as {@code @MockitoBean} does. */
@SpringBootTest(
        classes = ReplacedBeanTest.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "ratelimit.limiters.mails.permits=1",
            "ratelimit.limiters.mails.window=1h",
            "ratelimit.limiters.mails.key=everybody"
        })
class ReplacedBeanTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Mailer.class)
    static class Application {}

    static class Mailer {
        @RateLimit("mails")
        public String send() {
            return "sent";
        }
    }

    @TestBean
    Mailer mailer = mailer();

    static Mailer mailer() {
        return new Mailer();
    }

    @Test
    void objectOfTheTestIsNotLimited() {
        assertThat(mailer.send()).isEqualTo(mailer.send());
    }
}
