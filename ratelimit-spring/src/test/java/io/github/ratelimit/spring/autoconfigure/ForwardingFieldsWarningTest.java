package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.ForwardingFieldsWarning;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class ForwardingFieldsWarningTest {

    private final Heard heard = Heard.of(Diagnostics.class);

    @AfterEach
    void stopListening() {
        heard.close();
    }

    private static MockHttpServletRequest from(String peer, String... forwardedFor) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr(peer);
        for (String each : forwardedFor) {
            request.addHeader("X-Forwarded-For", each);
        }
        return request;
    }

    private static ServletOrigin origin(ClientAddress clientAddress) {
        ForwardingFieldsWarning warning = new ForwardingFieldsWarning(clientAddress, new Diagnostics(List.of()));
        return request -> warning.checked(ServletOrigin.ofContainer().of(request));
    }

    @Test
    void warnsOnceOfAProxyWhileNobodyIsTrusted() {
        ServletOrigin origin = origin(ClientAddress.ofPeer());
        assertThat(origin.of(from("10.0.0.1")).peer()).isEqualTo("10.0.0.1");
        assertThat(heard.lines()).isEmpty();

        assertThat(origin.of(from("10.0.0.1", "198.51.100.1")).peer()).isEqualTo("10.0.0.1");
        assertThat(origin.of(from("10.0.0.1", "198.51.100.1")).peer()).isEqualTo("10.0.0.1");
        assertThat(heard.lines())
                .singleElement()
                .asString()
                .startsWith(
                        "RL-007: X-Forwarded-For or Forwarded is present but ratelimit.http.trusted-proxies is empty")
                .doesNotContain("198.51.100.1", "10.0.0.1");
    }

    /** The list names a proxy, but not the one in front: all clients shared one budget, and nothing was said. */
    @Test
    void warnsOnceOfAProxyThatTheListDoesNotName() {
        ServletOrigin origin = origin(ClientAddress.of(List.of("10.0.0.0/8"), 64));
        origin.of(from("10.0.0.1", "198.51.100.1"));
        origin.of(from("192.0.2.1"));
        assertThat(heard.lines())
                .as("a trusted proxy, and a peer that says nothing")
                .isEmpty();

        origin.of(from("192.0.2.1", "198.51.100.1"));
        origin.of(from("192.0.2.1", "198.51.100.1"));
        assertThat(heard.lines())
                .singleElement()
                .asString()
                .startsWith("RL-007: X-Forwarded-For or Forwarded is present but its peer is in no range of"
                        + " ratelimit.http.trusted-proxies")
                .contains("add the proxy's address")
                .doesNotContain("198.51.100.1", "192.0.2.1");
    }
}
