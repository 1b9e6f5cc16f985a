package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The recipes of the manual: their code is compiled, and runs with their properties, all in one application. */
class RecipesTest {

    private static final Pattern PROPERTIES = Pattern.compile("```yaml\n(.*?)\n```", Pattern.DOTALL);

    @TempDir
    private Path classes;

    @Test
    void recipesDoWhatTheySay() throws Exception {
        IsolatedApplication.compile("Recipes", classes);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            RunningApplication.Builder application = RunningApplication.of(loader.loadClass("demo.Recipes"));
            properties().forEach(application::property);
            try (RunningApplication running = application.start()) {
                keysTenantsAndPlans(running.base());
                costsAndExclusions(running.base());
                logins(running.base());
                usage(running.base());
                hierarchiesAndReserves(running.base());
                assertThat(RawHttp.get(running.base(), "/checkout").values("X-RateLimit-Limit"))
                        .as("shadow")
                        .isEmpty();
                assertThat(RawHttp.get(running.base(), "/search").values("X-RateLimit-Limit"))
                        .as("of several limits the one with the fewest permits left")
                        .containsExactly("10");
                assertThat(RawHttp.get(running.base(), "/exports").values("X-RateLimit-Limit"))
                        .as("how many at a time")
                        .containsExactly("2");
                assertThat(RawHttp.get(running.base(), "/actuator/health/liveness")
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static void keysTenantsAndPlans(URI base) throws Exception {
        String ann = "X-Api-Key: key-of-ann";
        String bob = "X-Api-Key: key-of-bob";
        assertThat(remaining(base, "/keyed", ann)).isEqualTo(99);
        assertThat(remaining(base, "/keyed", bob)).isEqualTo(99);
        assertThat(remaining(base, "/keyed", "X-Api-Key: made-up-1")).isEqualTo(99);
        assertThat(remaining(base, "/keyed", "X-Api-Key: made-up-2"))
                .as("by address")
                .isEqualTo(98);
        assertThat(remaining(base, "/tenant", ann)).isEqualTo(999);
        assertThat(remaining(base, "/tenant", bob)).as("of the same tenant").isEqualTo(998);
        assertThat(remaining(base, "/contract", ann)).isEqualTo(99_999);
        assertThat(remaining(base, "/customer", ann)).isEqualTo(4999);
        assertThat(remaining(base, "/customer")).as("no customer").isEqualTo(99);
        assertThat(remaining(base, "/plan", ann)).isEqualTo(4999);
        assertThat(remaining(base, "/plan", bob)).isEqualTo(99);
        assertThat(remaining(base, "/plan")).as("no plan").isEqualTo(99);
        assertThat(remaining(base, "/role")).as("nobody's role").isEqualTo(99);
        assertThat(remaining(base, "/country", "X-Country: nl")).isEqualTo(299);
        assertThat(remaining(base, "/country", "X-Country: de")).isEqualTo(299);
    }

    private static void costsAndExclusions(URI base) throws Exception {
        assertThat(remaining(base, "/batch", "X-Parts: 20")).isEqualTo(480);
        assertThat(RawHttp.get(base, "/batch").status()).isEqualTo(400);
        assertThat(remaining(base, "/api/things")).isEqualTo(99);
        assertThat(RawHttp.get(base, "/api/status").values("X-RateLimit-Limit")).isEmpty();
    }

    private static void hierarchiesAndReserves(URI base) throws Exception {
        assertThat(remaining(base, "/ask", "X-Api-Key: key-of-ann")).isEqualTo(999);
        Answer other = RawHttp.get(base, "/ask", "X-Api-Key: key-of-bob");
        assertThat(other.values("X-RateLimit-Remaining"))
                .as("a user of another team")
                .containsExactly("999");
        for (int i = 0; i < 80; i++) {
            RawHttp.get(base, "/reports");
        }
        assertThat(RawHttp.get(base, "/reports").status()).isEqualTo(429);
        assertThat(remaining(base, "/orders"))
                .as("the rejected report took nothing")
                .isEqualTo(19);
    }

    private static void logins(URI base) throws Exception {
        for (int i = 0; i < 6; i++) {
            assertThat(login(base, "right").status()).as("costs nothing").isEqualTo(200);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(login(base, "wrong").status()).isEqualTo(401);
        }
        Answer rejected = login(base, "right");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(Long.parseLong(rejected.values("Retry-After").get(0))).isBetween(840L, 901L);
        assertThat(RawHttp.send(base, "DELETE /support/guesses/ann HTTP/1.1").status())
                .isEqualTo(200);
        assertThat(login(base, "right").status()).isEqualTo(200);
    }

    /** A wrong password counts and a right one does not, which the filter settles after its client may have the answer. */
    private static void usage(URI base) throws Exception {
        String usage = "";
        for (long end = System.nanoTime() + 30_000_000_000L; System.nanoTime() < end; Thread.sleep(10)) {
            usage = RawHttp.get(base, "/usage").body();
            if (usage.contains("\"guesses of ann\":5")) {
                break;
            }
        }
        assertThat(usage).contains("\"guesses of ann\":5", "\"batch of 127.0.0.1\":20");
    }

    private static Answer login(URI base, String password) throws IOException {
        return RawHttp.send(base, "POST /login?name=ann&password=" + password + " HTTP/1.1", "Content-Length: 0");
    }

    private static int remaining(URI base, String path, String... fields) throws IOException {
        Answer answer = RawHttp.get(base, path, fields);
        assertThat(answer.status()).as(path).isEqualTo(200);
        return Integer.parseInt(answer.values("X-RateLimit-Remaining").get(0));
    }

    // ---- the page's blocks, as one file

    private static Map<String, Object> properties() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        PROPERTIES
                .matcher(Files.readString(Path.of("..", "docs", "recipes.md")))
                .results()
                .forEach(block -> merge(all, new Yaml().load(block.group(1))));
        Map<String, Object> flat = new LinkedHashMap<>();
        flatten("", all, flat);
        return flat;
    }

    @SuppressWarnings("unchecked")
    private static void merge(Map<String, Object> into, Map<String, Object> more) {
        more.forEach((name, value) -> {
            Object there = into.get(name);
            if (there instanceof Map && value instanceof Map) {
                merge((Map<String, Object>) there, (Map<String, Object>) value);
            } else if (there instanceof List) {
                List<Object> both = new ArrayList<>((List<Object>) there);
                both.addAll((List<Object>) value);
                into.put(name, both);
            } else {
                into.put(name, value);
            }
        });
    }

    private static void flatten(String name, Object value, Map<String, Object> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> flatten(name.isEmpty() ? "" + key : name + "." + key, each, into));
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                flatten(name + "[" + i + "]", list.get(i), into);
            }
        } else {
            into.put(name, value);
        }
    }
}
