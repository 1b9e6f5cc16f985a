package io.github.ratelimit.content.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the settings of all surfaces have in common. */
class SettingsTest {
    private static final Pattern ROW = Pattern.compile("`(content-api\\.[a-z0-9.-]+?)\\.?(?:\\{([a-z0-9,-]+)})?[`\\[]");

    @Test
    void editorsAndThePagesTellAboutEverySetting() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String page : new String[] {"settings", "widget-service", "accounts"}) {
            ROW.matcher(Files.readString(Path.of("docs", page + ".md")))
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
        "content-api.base-url, www.example.org, baseUrl",
        "content-api.base-url, ftp://example.org, baseUrl",
        "content-api.base-url, https://example.org/?a=b, baseUrl",
        "content-api.base-url, https://user@example.org, baseUrl",
        "content-api.media.orphan-age, 9m, orphanAge",
        "content-api.password-hashes.at-once, 0, atOnce",
        "content-api.password-hashes.waiting, 1001, waiting",
        "content-api.publish-interval, 0s, publishInterval",
        "content-api.requests.body-deadline, 0s, bodyDeadline",
        "content-api.requests.max-in-flight-per-address, 0, maxInFlightPerAddress",
        "content-api.requests.max-text, 19999, maxText",
        "content-api.requests.max-text, 1048577, maxText",
        "content-api.revisions.most, 1, most",
        "content-api.sync.max-documents, 0, maxDocuments",
        "content-api.visitor.token-lifetime, 999ms, tokenLifetime",
        "content-api.provision.coupons[0].percent, 101, percent",
        "content-api.provision.users[0].login, ' ', login",
        "content-api.provision.users[0].role, owner, role",
        "content-api.provision.workspaces[0].id, ' ', id",
        "content-api.widget.allowed-origins, shop.example, allowedOrigins",
        "content-api.widget.allowed-origins, https://shop.example/, allowedOrigins",
        "content-api.widget.allowed-origins, https://Shop.example, allowedOrigins",
        "content-api.widget.allowed-origins, https://*.example, allowedOrigins",
        "content-api.widget.allowed-origins, null, allowedOrigins",
        "content-api.widget.retention, 59m, retention"
    })
    void aBadValueIsRejected(String property, String value, String field) {
        assertThat(catchThrowable(() -> bind(property, value)))
                .rootCause()
                .isInstanceOf(BindValidationException.class)
                .hasMessageMatching("(?s).*on field '\\S*\\b" + field + "(?:\\[0])?'.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://www.example.org", "http://[::1]:8080/site/"})
    void theSiteMayHaveAnAddress(String address) {
        assertThatCode(() -> bind("content-api.base-url", address)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "https://shop.example",
                "http://localhost:3000",
                "https://[2001:db8::1]:8443",
                "https://a-b.example"
            })
    void originsAreWrittenAsBrowsersDo(String origin) {
        assertThatCode(() -> bind("content-api.widget.allowed-origins", origin)).doesNotThrowAnyException();
    }

    private static void bind(String property, String value) {
        Binder settings = new Binder(new MapConfigurationPropertySource(Map.of(property, value)));
        try (ValidatorFactory validators = Validation.buildDefaultValidatorFactory()) {
            var checked = new ValidationBindHandler(new SpringValidatorAdapter(validators.getValidator()));
            settings.bindOrCreate("content-api", Bindable.of(CmsSettings.class), checked);
            settings.bindOrCreate("content-api", Bindable.of(WidgetSettings.class), checked);
            settings.bindOrCreate("content-api.requests", Bindable.of(RequestBounds.class), checked);
        }
    }
}
