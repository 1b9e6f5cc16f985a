package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
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
        assertThat(trusted("/cache/v1/" + route, Query.create()).path("_msg").asString())
                .isEqualTo("no notified data");
        JsonNode answer = trusted(
                "/cache/v1/" + route,
                Query.of(
                        "data[0][url]",
                        server.base() + "/?p=1",
                        "data[0][status]",
                        "done",
                        "data[1][status]",
                        "failed"));
        assertThat(answer.path("_res").asString()).isEqualTo("ok");
        assertThat(answer.path("count").intValue()).isEqualTo(2);
    }

    @Test
    void sharesAKeyWithNoService() {
        assertThat(trusted("/cache/v3/cms_rest_echo", Query.of("cms_ts", "1000", "cms_sign", "any"))
                        .path("_msg")
                        .asString())
                .isEqualTo("err_signature");
    }

    @Test
    void tellsHowWellItsCacheServes() {
        JsonNode cache =
                trusted("/cache/v1/check_img", Query.create()).path("data").path("cache");

        assertThat(cache.path("hits").isIntegralNumber()).isTrue();
    }

    @Test
    void acknowledgesTheStateOfTheNetworkAndOfDomains() {
        for (String state : new String[] {"anonymous", "linked", "cdn", "deleted"}) {
            assertThat(trusted("/cache/v3/cdn_status", Query.of("qc_activated", state))
                            .path("qc_activated")
                            .asString())
                    .isEqualTo(state);
        }
        assertThat(trusted("/cache/v3/err_domains", Query.of("main_domain", "a.test"))
                        .path("_msg")
                        .asString())
                .isEqualTo("lack_of_param");
        assertThat(trusted("/cache/v3/err_domains", Query.of("main_domain", "a.test", "alias", "b.test"))
                        .path("_msg")
                        .asString())
                .isEqualTo("Not an alias req from here");
        assertThat(trusted("/cache/v3/ip_validate", Query.create()).path("_msg").asString())
                .isEqualTo("lack_of_params");
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

    @Test
    void pingNamesTheSite() {
        JsonNode answer = trusted("/cache/v3/ping", Query.create());
        assertThat(answer.path("home_url").asString()).isEqualTo(server.base());
        assertThat(answer.path("v_cms").asString()).isNotEmpty();
    }

    private JsonNode trusted(String route, Query form) {
        Answer answer = client.call("POST", route)
                .headers(Accounts.standard().trustedCallerHeaders())
                .form(form)
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }
}
