package io.github.ratelimit.content.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Rule: contract, {@code ./mvnw spring-boot:run} and {@code content-api.demo}. */
class DemoSiteTest {
    private static final Path DOCS = Path.of("docs");

    @TempDir
    private Path directory;

    @Test
    void firstStartFillsTheSiteAndTellsTheKeysOnceAndCommandsOfTheDocumentsWork() throws Exception {
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(console, true, StandardCharsets.UTF_8));
        String password;
        String application;
        try (ConfigurableApplicationContext context = start("--content-api.demo-controls=true")) {
            System.setOut(before);
            SiteClient site = site(context);
            String told = console.toString(StandardCharsets.UTF_8);
            Answer posts = site.get("/cms/v2/posts");
            Answer drafts = site.with("Authorization", Account.basic("admin", key(told, "application")))
                    .open("/index.php?rest_route=/cms/v2/posts&status=draft");

            assertThat(told).containsPattern("(?m)^Demonstration .*/demo$");
            password = key(told, "password");
            application = key(told, "application");
            assertThat(password).hasSize(20);
            assertThat(key(told, "token")).isNotEmpty();
            assertThat(posts.header("X-WP-Total")).contains("4");
            assertThat(posts.text()).contains("&#8220;Retry-After&#8221; &#8212; and");
            assertThat(drafts.header("X-WP-Total")).contains("1");
            Answer front = site.open("/");
            assertThat(front.text())
                    .contains(
                            "Welcome to the demonstration site", "<script src=\"" + site.base() + "/widget.js\" defer");
            assertThat(front.header("Content-Security-Policy").orElse(""))
                    .contains("script-src " + site.base() + "/widget.js; ");
            onlyAnAdministratorSeesLimitsAtWork(site, password, application);
            onlyAnAdministratorTakesTheStoreAway(site, password);
        } finally {
            System.setOut(before);
        }

        ByteArrayOutputStream again = new ByteArrayOutputStream();
        System.setOut(new PrintStream(again, true, StandardCharsets.UTF_8));
        try (ConfigurableApplicationContext context = start(argumentsOfTheDocuments())) {
            assertThat(context.isRunning()).isTrue();
            assertThat(again.toString(StandardCharsets.UTF_8))
                    .contains("/demo\n", "/limits")
                    .doesNotContain("password", "token");
            SiteClient site = site(context);
            assertThat(site.open("/demo").text()).contains("data-controls=\"false\"");
            assertThat(store(site, "GET", Account.basic("admin", password)).status())
                    .as("no switch unless it is asked for")
                    .isEqualTo(404);
            if (Transcript.isPossible()) {
                followTheDocuments(site.base(), application);
            }
        } finally {
            System.setOut(before);
        }
    }

    /** Those of the widget service's page, and what the endpoint's section of another page takes for granted. */
    private static String[] argumentsOfTheDocuments() throws IOException {
        Matcher start = Pattern.compile("-Dspring-boot\\.run\\.arguments=\"(.*)\"")
                .matcher(Files.readString(DOCS.resolve("widget-service.md")));
        assertThat(start.find()).isTrue();
        return Stream.concat(
                        Stream.of(start.group(1).split(" ")),
                        Stream.of(
                                "--ratelimit.limiters.search.permits=10",
                                "--ratelimit.limiters.search.window=1m",
                                "--ratelimit.limiters.orders.permits=10",
                                "--ratelimit.limiters.orders.window=1m"))
                .toArray(String[]::new);
    }

    private void followTheDocuments(String base, String application) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(directory.resolve("shell"));
        Transcript shell = new Transcript(
                folder,
                Map.of("localhost:8080", base.replace("http://", ""), "xxxx xxxx xxxx xxxx xxxx xxxx", application));
        Path settings = Files.writeString(folder.resolve(".curlrc"), "");
        shell.follow(DOCS.resolve("widget-service.md"));
        shell.follow(DOCS.resolve("accounts.md"));
        // An application of one's own, where that page is at home, has another sign-in.
        Files.writeString(settings, "user = \"admin:" + application + "\"");
        shell.follow(Path.of("..", "docs", "on-call.md"));
    }

    private static void onlyAnAdministratorSeesLimitsAtWork(SiteClient site, String password, String application) {
        for (String path : List.of(
                "/limits/live",
                "/limits/live/events",
                "/limits/live/live.js",
                "/actuator/ratelimits",
                "/actuator/prometheus")) {
            Answer stranger = site.open(path);
            assertThat(stranger.status()).as(path).isEqualTo(401);
            assertThat(stranger.header("WWW-Authenticate"))
                    .hasValueSatisfying(field -> assertThat(field).startsWith("Basic "));
            assertThat(limits(site, path, "admin", "wrong")).as(path).isEqualTo(401);
            assertThat(limits(site, path, "eve", "sign-in-of-eve")).as(path).isEqualTo(403);
        }
        assertThat(limits(site, "/limits/live", "admin", password)).isEqualTo(200);
        assertThat(limits(site, "/limits/live", "admin", application))
                .as("pages are for people")
                .isEqualTo(401);
        assertThat(limits(site, "/actuator/ratelimits", "admin", application)).isEqualTo(200);
        assertThat(limits(site, "/actuator/prometheus", "admin", application)).isEqualTo(200);
        assertThat(site.open("/actuator/health").status()).isEqualTo(200);
    }

    private static int limits(SiteClient site, String path, String login, String password) {
        return site.with("Authorization", Account.basic(login, password))
                .open(path)
                .status();
    }

    private static void onlyAnAdministratorTakesTheStoreAway(SiteClient site, String password) {
        String admin = Account.basic("admin", password);
        assertThat(store(site, "PUT", "").status()).isEqualTo(401);
        assertThat(store(site, "GET", admin).text()).isEqualTo("{\"away\":false}");
        assertThat(remaining(site)).contains("999");

        assertThat(store(site, "PUT", admin).text()).isEqualTo("{\"away\":true}");
        assertThat(remaining(site)).as("the fallback counts from zero").contains("999");
        assertThat(remaining(site)).contains("998");

        JsonNode back = JsonNodeFactory.instance.objectNode().put("away", false);
        assertThat(call(site, "PUT", admin).json(back).send().text()).isEqualTo("{\"away\":false}");
        assertThat(remaining(site)).as("what was counted before").contains("998");
        assertThat(call(site, "PUT", admin)
                        .json(JsonNodeFactory.instance.objectNode())
                        .send()
                        .status())
                .isEqualTo(422);
    }

    private static Answer store(SiteClient site, String method, String credentials) {
        SiteClient.Call call = call(site, method, credentials);
        return (method.equals("PUT")
                        ? call.json(JsonNodeFactory.instance.objectNode().put("away", true))
                        : call)
                .send();
    }

    private static SiteClient.Call call(SiteClient site, String method, String credentials) {
        SiteClient.Call call = site.callAddress(method, site.base() + "/demo/store");
        return credentials.isEmpty() ? call : call.header("Authorization", credentials);
    }

    private static Optional<String> remaining(SiteClient site) {
        return site.callAddress("POST", site.base() + "/api/v1/widget/init")
                .send()
                .header("X-RateLimit-Remaining");
    }

    private static SiteClient site(ConfigurableApplicationContext context) {
        return new SiteClient("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }

    private ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--content-api.data-dir=" + directory,
                "--spring.main.banner-mode=off",
                "--content-api.provision.users[0].login=eve",
                "--content-api.provision.users[0].role=editor",
                "--content-api.provision.users[0].password=sign-in-of-eve",
                "--logging.level.root=error",
                "--logging.level.io.github.ratelimit=error"));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(ContentApiApplication.class).run(arguments.toArray(String[]::new));
    }

    private static String key(String told, String name) {
        Matcher line = Pattern.compile("(?m)^ +" + name + " +(.+)$").matcher(told);
        return line.find() ? line.group(1).strip() : "";
    }
}
