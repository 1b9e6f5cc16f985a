package io.github.ratelimit.spring.internal.properties;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;

/**
 * Makes one of names that differ in dashes and case only: limiters, rules and plans.
 *
 * <p>{@code RATELIMIT_LIMITERS_WIDGETINIT_PERMITS} changes the limiter {@code widget-init}, and Spring Boot makes a second one of it besides,
 * {@code widgetinit}, which has all properties of the first. The spelling and the order are those of the source that others override.
 */
public final class MergedNames extends AbstractBindHandler {

    private static final ConfigurationPropertyName LIMITERS = ConfigurationPropertyName.of("ratelimit.limiters");
    private static final String PLANS = "plans";

    public MergedNames(BindHandler parent) {
        super(parent);
    }

    @Override
    public Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        Object bound = super.onSuccess(name, target, context, result);
        boolean ours = LIMITERS.equals(name) || LIMITERS.isAncestorOf(name);
        return ours && bound instanceof Map<?, ?> map ? merged(map, names(name, context)) : bound;
    }

    private static Map<Object, Object> merged(Map<?, ?> map, Iterable<String> names) {
        Map<Object, Object> merged = new LinkedHashMap<>();
        for (String name : names) {
            Object value = map.get(name);
            if (value != null) {
                merged.put(name, value);
            }
        }
        return merged;
    }

    /** One spelling of each name: that of the last source that has one, but an environment variable can spell neither dashes nor capitals. */
    private static Iterable<String> names(ConfigurationPropertyName parent, BindContext context) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        context.getSources().forEach(sources::add);
        Collections.reverse(sources);
        Map<String, String> names = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : sources) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream().filter(parent::isAncestorOf).forEach(property -> {
                    String plain = name(parent, property, Form.UNIFORM);
                    names.merge(
                            plain,
                            name(parent, property, Form.ORIGINAL),
                            (known, other) -> known.equals(plain) ? other : known);
                });
            }
        }
        return names.values();
    }

    /** The name of a plan may have dots, as nothing stands below it. */
    private static String name(ConfigurationPropertyName parent, ConfigurationPropertyName property, Form form) {
        int first = parent.getNumberOfElements();
        int end = PLANS.equals(parent.getLastElement(Form.UNIFORM)) ? property.getNumberOfElements() : first + 1;
        return IntStream.range(first, end)
                .mapToObj(i -> property.getElement(i, form))
                .collect(Collectors.joining("."));
    }
}
