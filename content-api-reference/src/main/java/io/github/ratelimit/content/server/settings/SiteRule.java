package io.github.ratelimit.content.server.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Refuses what the site says of itself where it cannot be true. */
@Component
final class SiteRule implements BeanFactoryPostProcessor, EnvironmentAware {
    private static final String ADDRESS = "content-api.base-url";
    private static final String ZONE = "content-api.site.timezone";

    private String address = "";
    private String zone = "";

    @Override
    public void setEnvironment(Environment environment) {
        address = environment.getProperty(ADDRESS, "");
        zone = environment.getProperty(ZONE, "");
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        check(address, zone);
    }

    static void check(String address, String zone) {
        if (!address.isEmpty() && !isAddress(address)) {
            throw new InvalidSettingException(
                    ADDRESS,
                    "must be the address of a site, was '" + address + "'",
                    "Write scheme and host, such as https://www.example.org, or leave it out to go by the request.");
        }
        if (!zone.isEmpty() && !isZone(zone)) {
            throw new InvalidSettingException(
                    ZONE, "must be a time zone, was '" + zone + "'", "Name it like Europe/Berlin, +02:00 or UTC.");
        }
    }

    private static boolean isAddress(String text) {
        try {
            URI uri = new URI(text);
            return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isZone(String text) {
        try {
            return !ZoneId.of(text).getId().isEmpty();
        } catch (DateTimeException e) {
            return false;
        }
    }
}
