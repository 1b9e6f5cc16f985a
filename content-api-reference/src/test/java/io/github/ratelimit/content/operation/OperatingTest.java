package io.github.ratelimit.content.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** What an operator sees of a start, and of a change of a limit. */
@ExtendWith(OutputCaptureExtension.class)
class OperatingTest {

    @TempDir
    private Path directory;

    @Test
    void helpTellsThePropertiesAndStartsNothing(CapturedOutput output) {
        ContentApiApplication.main(new String[] {"--help", "--content-api.data-dir=" + directory.resolve("data")});

        assertThat(output.getOut())
                .contains("--server.port", "--spring.datasource.url", "--ratelimit.store")
                .hasLineCount(12);
        assertThat(Files.exists(directory.resolve("data"))).isFalse();
        assertThat(System.getProperty("jdk.nio.maxCachedBufferSize"))
                .as("what each thread keeps outside the heap")
                .isEqualTo("65536");
    }

    @Test
    void startWithoutItsDatabaseEndsInAFewLinesThatTellTheRemedy(CapturedOutput output) {
        String address = "jdbc:postgresql://127.0.0.1:1/content";

        Throwable failure = catchThrowable(() -> start("--spring.datasource.url=" + address + "?password=secret"));

        assertThat(failure).isNotNull();
        List<String> lines = afterTheFirst(output);
        assertThat(lines)
                .filteredOn(line -> !line.startsWith("*") && !line.endsWith(":"))
                .hasSizeLessThanOrEqualTo(5);
        assertThat(output)
                .contains("The database " + address + " cannot be reached", "Start the database")
                .doesNotContain("secret", "\tat ");
    }

    @Test
    void serverWithoutAnyAccountWarnsAndTellsHowToGetOne(CapturedOutput output) {
        start().close();

        assertThat(output).contains("nobody can sign in: set content-api.provision.users[0].login");
    }

    @Test
    void changeOfALimitNamesTheOperatorAndTellsThatItHoldsOnThisNodeOnly(CapturedOutput output) throws Exception {
        String user = "--content-api.provision.users[0].";
        try (ConfigurableApplicationContext context =
                start(user + "login=root", user + "role=administrator", user + "password=sign-in-of-root")) {
            SiteClient site = new SiteClient(
                    "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));

            Answer changed = change(site, "typing", "{\"permits\": 599}");
            Answer unknown = change(site, "tipping", "{\"permits\": 599}");

            assertThat(changed.status()).as(changed.text()).isEqualTo(200);
            assertThat(changed.text()).contains("on this node only, until it restarts", "\"permits\":599");
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.text()).contains("no such limiter: 'tipping'; known: ");
        }
        assertThat(output).contains("RATELIMIT_CHANGED by 'root': {limiter=typing, permits=599}");
    }

    @Test
    void administratorWhoWatchesIsNoTrafficOfTheLimitOfGuesses() throws Exception {
        String user = "--content-api.provision.users[0].";
        try (ConfigurableApplicationContext context = start(
                user + "login=root",
                user + "role=administrator",
                user + "password=sign-in-of-root",
                "--ratelimit.limiters.auth-failures.permits=3")) {
            SiteClient site = new SiteClient(
                    "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            for (int i = 0; i < 5; i++) {
                assertThat(watch(site, "sign-in-of-root", "/limits/live").status())
                        .isEqualTo(200);
            }

            assertThat(watch(site, "sign-in-of-root", "/actuator/prometheus").text())
                    .as("the permit of the first one, which was right")
                    .contains("ratelimit_settled_permits_total{direction=\"returned\",limiter=\"auth-failures\"} 1.0");
            for (int i = 0; i < 3; i++) {
                assertThat(watch(site, "wrong", "/limits/live").status()).isEqualTo(401);
            }
            assertThat(watch(site, "sign-in-of-root", "/limits/live").status())
                    .as("nobody learns by guessing which password was right a moment ago")
                    .isEqualTo(429);
        }
    }

    private static Answer watch(SiteClient site, String password, String path) {
        return site.callAddress("GET", site.base() + path)
                .header("Authorization", Account.basic("root", password))
                .send();
    }

    private static Answer change(SiteClient site, String limiter, String body) {
        return site.callAddress("POST", site.base() + "/actuator/ratelimits/" + limiter)
                .header("Authorization", Account.basic("root", "sign-in-of-root"))
                .json(JsonMapper.shared().readTree(body))
                .send();
    }

    private static List<String> afterTheFirst(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> !line.isBlank() && !line.contains("ContentApiApplication"))
                .toList();
    }

    private ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--content-api.demo=false",
                "--content-api.data-dir=" + directory));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(ContentApiApplication.class).run(arguments.toArray(String[]::new));
    }
}
