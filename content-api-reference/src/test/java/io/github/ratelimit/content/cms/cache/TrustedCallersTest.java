package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.cms.security.QuickHashes;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Who is trusted by his address is the same whether limits are on or off. */
final class TrustedCallersTest {
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void noForwardingFieldOfAStrangerIsBelieved(String enabled, @TempDir Path dir) {
        var arguments = new ArrayList<>(ReferenceServer.standardArguments(dir, 0));
        arguments.removeIf(argument -> argument.contains("trusted-proxies"));
        arguments.add("--ratelimit.enabled=" + enabled);
        arguments.add("--server.forward-headers-strategy=native");
        try (var server = new SpringApplicationBuilder(ContentApiApplication.class)
                .initializers(QuickHashes::in)
                .run(arguments.toArray(String[]::new))) {
            assertThat(new SiteClient("http://127.0.0.1:"
                                    + server.getEnvironment().getProperty("local.server.port"))
                            .call("POST", "/cache/v3/ping")
                            .header("X-Forwarded-For", Accounts.TRUSTED_ADDRESS)
                            .send()
                            .status())
                    .isEqualTo(401);
        }
    }
}
