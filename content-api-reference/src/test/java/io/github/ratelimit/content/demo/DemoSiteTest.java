package io.github.ratelimit.content.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Rule: contract, {@code ./mvnw spring-boot:run} and {@code content-api.demo}. */
class DemoSiteTest {
    @TempDir
    private Path directory;

    @Test
    void firstStartFillsTheSiteAndTellsTheKeysOnce() {
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(console, true, StandardCharsets.UTF_8));
        try (ConfigurableApplicationContext context = start()) {
            System.setOut(before);
            SiteClient site = new SiteClient(
                    "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            String told = console.toString(StandardCharsets.UTF_8);
            Answer posts = site.call("GET", "/cms/v2/posts").send();
            Answer drafts = site.callAddress("GET", site.base() + "/index.php?rest_route=/cms/v2/posts&status=draft")
                    .header("Authorization", Account.basic("admin", key(told, "application")))
                    .send();

            assertThat(told).contains("http://localhost:");
            assertThat(key(told, "password")).hasSize(20);
            assertThat(key(told, "token")).isNotEmpty();
            assertThat(posts.header("X-WP-Total")).contains("4");
            assertThat(posts.text()).contains("&#8220;Retry-After&#8221; says &#8212; and");
            assertThat(drafts.header("X-WP-Total")).contains("1");
            assertThat(site.callAddress("GET", site.base() + "/").send().text())
                    .contains("Welcome to the demonstration site");
        } finally {
            System.setOut(before);
        }

        ByteArrayOutputStream again = new ByteArrayOutputStream();
        System.setOut(new PrintStream(again, true, StandardCharsets.UTF_8));
        try (ConfigurableApplicationContext context = start()) {
            assertThat(context.isRunning()).isTrue();
            assertThat(again.toString(StandardCharsets.UTF_8)).doesNotContain("password");
        } finally {
            System.setOut(before);
        }
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(ContentApiApplication.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--content-api.data-dir=" + directory,
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=error");
    }

    private static String key(String told, String name) {
        Matcher line = Pattern.compile("(?m)^ +" + name + " +(.+)$").matcher(told);
        return line.find() ? line.group(1).strip() : "";
    }
}
