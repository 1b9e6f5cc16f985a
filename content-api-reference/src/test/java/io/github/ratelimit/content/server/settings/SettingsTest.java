package io.github.ratelimit.content.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the settings of all surfaces have in common. */
class SettingsTest {
    private static final Pattern ROW = Pattern.compile("`(content-api\\.[a-z0-9.-]+?)\\.?(?:\\{([a-z0-9,-]+)})?[`\\[]");

    @Test
    void editorsAndThePagesTellAboutEverySetting() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String page : new String[] {"reference", "widget-service", "accounts"}) {
            ROW.matcher(Files.readString(Path.of("../docs", page + ".md")))
                    .results()
                    .forEach(row -> {
                        String group = row.group(1);
                        if (row.group(2) == null) {
                            documented.add(group);
                        } else {
                            Set.of(row.group(2).split(",", -1)).forEach(member -> documented.add(group + "." + member));
                        }
                    });
        }

        Set<String> known = new TreeSet<>();
        for (JsonNode property : metadata().path("properties")) {
            String name = property.path("name").stringValue();
            known.add(name);
            assertThat(property.path("description").asString("")).as(name).isNotBlank();
        }

        assertThat(known).hasSizeGreaterThan(30).isSubsetOf(documented);
    }

    private static JsonNode metadata() throws IOException {
        String name = "META-INF/spring-configuration-metadata.json";
        try (InputStream from = CmsSettings.class.getClassLoader().getResourceAsStream(name)) {
            return new JsonMapper().readTree(from);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "content-api.cache.ttl, 0s, PT0S",
        "content-api.cache.ttl, 999999d, PT23999976H",
        "content-api.cache.max-size, -1B, -1B",
        "content-api.cache.max-size, 9223372036854775807B, 9223372036854775807B",
        "content-api.cache.trusted-callers, here, here",
        "content-api.media.max-upload-size, 0B, 0B",
        "content-api.media.max-upload-size, 9223372036854775807B, 9223372036854775807B",
        "content-api.media.orphan-age, -1s, PT-1S",
        "content-api.media.orphan-age, 0s, PT0S",
        "content-api.media.orphan-age, 9m, PT9M",
        "content-api.media.orphan-age, 999999999999d, PT",
        "content-api.password-hashes.at-once, 0, 0",
        "content-api.password-hashes.waiting, 1001, 1001",
        "content-api.publish-interval, 0s, PT0S",
        "content-api.publish-interval, 1ns, PT0.000000001S",
        "content-api.publish-interval, 999999d, PT23999976H",
        "content-api.requests.body-deadline, 0s, 0",
        "content-api.requests.body-deadline, 999999d, PT23999976H",
        "content-api.requests.max-stranger-body, 0B, 0B",
        "content-api.requests.max-bytes-in-flight, 9223372036854775807B, 9223372036854775807B",
        "content-api.requests.max-in-flight-per-address, 0, 0",
        "content-api.requests.max-text, 19999, 19999",
        "content-api.requests.max-text, 1048577, 1048577",
        "content-api.revisions.most, 1, 1",
        "content-api.revisions.characters, 0, 0",
        "content-api.sync.max-documents, 0, 0",
        "content-api.sync.max-size, 0B, 0B",
        "content-api.sync.max-size, 9223372036854775807B, 9223372036854775807B",
        "content-api.visitor.token-lifetime, 999ms, PT0.999S",
        "content-api.visitor.token-lifetime, 999999999999d, PT",
        "content-api.widget.allowed-origins, shop.example, shop.example",
        "content-api.widget.retention, 59m, PT59M",
        "content-api.widget.retention, 999999999999d, PT"
    })
    void aBadValueIsRefusedWithItsNameAndTheRemedy(String property, String value, String shown) {
        Binder settings = new Binder(new MapConfigurationPropertySource(Map.of(property, value)));

        Throwable refused = catchThrowable(() -> {
            settings.bindOrCreate("content-api", CmsSettings.class);
            settings.bindOrCreate("content-api", WidgetSettings.class);
            settings.bindOrCreate("content-api.requests", RequestBounds.class);
        });

        assertThat(refused).rootCause().isInstanceOfSatisfying(InvalidSettingException.class, invalid -> {
            assertThat(invalid).hasMessageStartingWith(property + ": ").hasMessageContaining(shown);
            assertThat(invalid.remedy()).isNotBlank();
        });
    }
}
