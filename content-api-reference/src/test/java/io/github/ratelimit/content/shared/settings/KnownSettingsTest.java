package io.github.ratelimit.content.shared.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.container.RequestBounds;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A misspelled bound would be the default one, and nobody would know. */
final class KnownSettingsTest {
    private static void start(String setting, boolean isOfTheEnvironment) {
        start(setting, "1", isOfTheEnvironment);
    }

    private static void start(String setting, String value, boolean isOfTheEnvironment) {
        Map<String, Object> settings = Map.of(setting, value);
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(
                        isOfTheEnvironment
                                ? new SystemEnvironmentPropertySource("test-systemEnvironment", settings)
                                : new MapPropertySource("test", settings));
        var beans = new DefaultListableBeanFactory();
        for (Class<?> type : new Class<?>[] {CmsSettings.class, WidgetSettings.class, RequestBounds.class}) {
            beans.registerBeanDefinition(type.getName(), new RootBeanDefinition(type));
        }
        KnownSettings rule = new KnownSettings();
        rule.setEnvironment(environment);
        rule.postProcessBeanFactory(beans);
    }

    @ParameterizedTest
    @CsvSource({
        "content-api.requests.max-txt, content-api.requests.max-text",
        "content-api.media.sweep-interval, content-api.media.orphan-age",
        "content-api.provision.users[0].logn, content-api.provision.users[].login",
        "content-api.provision.users.login, content-api.provision.users[].login",
        "content-api.requests.max-text[0], content-api.requests.max-text",
        "content-api[0], content-api.requests.max-text",
        "content-api[max.text], content-api.requests.max-text",
        "content-api.requests, content-api.requests.max-text",
        "content-api.request.max-text, content-api.requests.max-text",
    })
    void whatNobodyReadsStopsTheStart(String setting, String meant) {
        assertThatThrownBy(() -> start(setting, false))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(setting)
                .extracting(refused -> ((InvalidSettingException) refused).remedy())
                .asString()
                .contains(meant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content-api.requests.max-text",
                "content-api.requests.maxText",
                "content-api.requests.max_text",
                "content-api.cache.trusted-callers",
                "content-api.cache.trusted-callers[0]",
                "content-api.provision.users[3].display-name",
                "content-api.widget.retention.silent",
                "content-apis.other",
                "content.api.other",
            })
    void whatIsReadIsTakenInAnySpelling(String setting) {
        assertThatCode(() -> start(setting, false)).doesNotThrowAnyException();
    }

    /** As a file of YAML has them whose members are comments, and as a list is emptied. */
    @ParameterizedTest
    @ValueSource(strings = {"content-api.requests", "content-api.provision", "content-api.provision.users"})
    void whatSaysNothingIsTaken(String group) {
        assertThatCode(() -> start(group, "", false)).doesNotThrowAnyException();
    }

    /** The dashes of all of a name are left out, or all of them are underscores: of anything else Spring Boot reads nothing. */
    @ParameterizedTest
    @CsvSource({
        "CONTENTAPI_REQUESTS_MAXTEXT, content-api.requests.max-text, true",
        "CONTENTAPI_REQUESTS_MAX_TEXT, content-api.requests.max-text, false",
        "CONTENT_API_REQUESTS_MAX_TEXT, content-api.requests.max-text, true",
        "CONTENT_API_REQUESTS_MAXTEXT, content-api.requests.max-text, false",
        "CONTENT_API_CACHE_TRUSTED_CALLERS_0, content-api.cache.trusted-callers[0], true",
        "CONTENT_API_PROVISION_USERS_0_DISPLAY_NAME, content-api.provision.users[0].display-name, true",
    })
    void variableIsTakenWhereItIsRead(String variable, String setting, boolean isRead) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(variable, "1")));

        assertThat(Binder.get(environment).bind(setting, String.class).isBound())
                .isEqualTo(isRead);
        variablesOfTheEnvironmentToo(variable, !isRead);
    }

    @ParameterizedTest
    @CsvSource({
        "CONTENTAPI_REQUESTS_MAXTEXT, false",
        "CONTENTAPI_PROVISION_USERS_0_DISPLAYNAME, false",
        // As some platforms tell each process of a service of that name, or of one that begins alike.
        "CONTENT_API_PORT_8080_TCP, false",
        "CONTENTAPI_SERVICE_HOST, false",
        "CONTENTAPI_SERVICE_PORT, false",
        "CONTENTAPI_SERVICE_PORT_HTTP, false",
        "CONTENTAPI_PORT, false",
        "CONTENTAPI_PORT_8080_TCP, false",
        "CONTENTAPI_PORT_8080_TCP_PROTO, false",
        "CONTENTAPI_PORT_8080_TCP_ADDR, false",
        "CONTENTAPI_CACHE_2_SERVICE_HOST, false",
        "CONTENT_API_REQUESTS_MAX_TEXT, false",
        "CONTENT_API_REQUESTS_MAXTEXT, true",
        "CONTENT_API_PROVISION_USERS_0_DISPLAY_NAME, false",
        "CONTENT_API_CACHE_TRUSTED_CALLERS, false",
        "CONTENT_API_CACHE_TRUSTED_CALLERS_0, false",
        "CONTENT_API_SERVICE_HOST, false",
        "CONTENT_API_SERVICE_PORT_HTTP, false",
        "CONTENT_API_PORT, false",
        "CONTENT_API_PORT_8080_TCP_ADDR, false",
        "CONTENT_API_REQUESTS_MAX_TXT, true",
        "CONTENT_API_REQUESTS_PORTS, true",
        "CONTENT_API_MEDIA_SWEEP_INTERVAL, true",
        "CONTENT_APIS_OTHER, false",
        "CONTENTAPI_REQUESTS_PORTS, true",
        "CONTENTAPI_REQUESTS_MAXTXT, true",
    })
    void variablesOfTheEnvironmentToo(String variable, boolean isRefused) {
        if (isRefused) {
            assertThatThrownBy(() -> start(variable, true)).isInstanceOf(InvalidSettingException.class);
        } else {
            assertThatCode(() -> start(variable, true)).doesNotThrowAnyException();
        }
    }
}
