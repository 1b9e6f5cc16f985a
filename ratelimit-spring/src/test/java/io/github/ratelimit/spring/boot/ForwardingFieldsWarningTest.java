package io.github.ratelimit.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.ratelimit.servlet.ServletOrigin;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletRequest;

class ForwardingFieldsWarningTest {

    @Test
    void warnsOnceOfAProxyThatNobodyTrusts() {
        Logger logger = (Logger) LoggerFactory.getLogger(ForwardingFieldsWarning.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        logger.setLevel(Level.WARN);
        try {
            ServletOrigin origin = new ForwardingFieldsWarning(ServletOrigin.ofContainer());
            MockHttpServletRequest request = new MockHttpServletRequest();
            request.setRemoteAddr("10.0.0.1");
            assertThat(origin.of(request).peer()).isEqualTo("10.0.0.1");
            assertThat(heard.list).isEmpty();

            request.addHeader("X-Forwarded-For", "198.51.100.1");
            assertThat(origin.of(request).peer()).isEqualTo("10.0.0.1");
            assertThat(origin.of(request).peer()).isEqualTo("10.0.0.1");
            assertThat(heard.list)
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .startsWith("X-Forwarded-For or Forwarded is present but ratelimit.http.trusted-proxies is empty")
                    .doesNotContain("198.51.100.1", "10.0.0.1");
        } finally {
            logger.detachAppender(heard);
            logger.setLevel(null);
        }
    }
}
