package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CacheRoutesTest {

    @AutoClose
    private ReferenceServer server;

    private SiteClient client;

    @BeforeAll
    void start() {
        server = ReferenceServer.start(Database.H2, "--content-api.cache.outside-address=198.51.100.20");
        client = new SiteClient(server.base());
    }

    @ParameterizedTest
    @ValueSource(strings = {"notify_img", "notify_ccss", "notify_ucss", "notify_vpi"})
    void takesResultsAndCountsThem(String route) {
        JsonNode answer = trusted("/cache/v1/" + route + "?data[0][url]=" + server.base()
                + "/?p=1&data[0][status]=done&data[1][status]=failed");
        assertThat(answer.path("_res").asString()).isEqualTo("ok");
        assertThat(answer.path("count").intValue()).isEqualTo(2);
    }

    @Test
    void aForgedAddressIsNotTrusted() {
        // The proxy adds what it saw behind what the client wrote.
        Answer answer = client.call("POST", "/cache/v3/ping")
                .header("X-Forwarded-For", Accounts.TRUSTED_ADDRESS + ", 192.0.2.66")
                .send();
        assertThat(answer.status()).isEqualTo(401);
        assertThat(client.call("POST", "/cache/v3/ping")
                        .header("X-Real-IP", Accounts.TRUSTED_ADDRESS)
                        .send()
                        .status())
                .isEqualTo(401);
    }

    private JsonNode trusted(String route) {
        Answer answer = client.call("POST", route)
                .headers(Accounts.standard().trustedCallerHeaders())
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }
}
