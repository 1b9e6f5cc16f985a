package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is trusted by his address is the same whether limits are on or off. */
final class TrustedCallersTest {
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void noForwardingFieldOfAStrangerIsBelieved(String enabled) {
        try (var server = ReferenceServer.start(
                Database.H2,
                "--ratelimit.http.trusted-proxies=",
                "--ratelimit.enabled=" + enabled,
                "--server.forward-headers-strategy=native")) {
            assertThat(new SiteClient(server.base())
                            .call("POST", "/cache/v3/ping")
                            .header("X-Forwarded-For", Accounts.TRUSTED_ADDRESS)
                            .send()
                            .status())
                    .isEqualTo(401);
        }
    }
}
