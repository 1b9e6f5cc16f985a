package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;

/**
 * Spring Boot's check for unknown properties, below the library's own names alone: an application may have other names below
 * {@code ratelimit}.
 *
 * <p>An unknown environment variable of a limiter is a warning. Other variables are ignored, because a platform sets some, such as
 * {@code RATELIMIT_REDIS_PORT}.
 *
 * <p>Names of limiters, rules and plans that differ in dashes and case only become one: {@code RATELIMIT_LIMITERS_WIDGETINIT_PERMITS} changes
 * the limiter {@code widget-init}, and Spring Boot makes a second one of it besides, {@code widgetinit}, which has all properties of the first.
 * The spelling and the order are those of the source that others override.
 */
public final class PropertyNames extends NoUnboundElementsBindHandler {

    private static final Log LOG = LogFactory.getLog(PropertyNames.class);

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");
    private static final ConfigurationPropertyName LIMITERS = ROOT.append("limiters");
    private static final String PLANS = "plans";

    /** Of a variable, which may be split at dashes. */
    private static final Pattern OF_LIMITERS = Pattern.compile(".*\\.(plans\\..+|("
            + String.join("|", names(LimiterProperties.class)).replace("-", "\\.?") + ")(\\[\\d+])?)");

    private static final UnboundElementsSourceFilter WRITTEN = new UnboundElementsSourceFilter(); // no variables

    private final BindHandler parent;

    public PropertyNames(BindHandler parent) {
        super(parent, WRITTEN);
        this.parent = parent;
    }

    private static List<String> names(Class<?> bound) {
        Parameter[] components = bound.getDeclaredConstructors()[0].getParameters(); // which Spring Boot binds by
        return Arrays.stream(components)
                .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .sorted()
                .toList();
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        parent.onFinish(name, target, context, result);
        if (target.getType().toClass() == RateLimitProperties.class) {
            for (String own : names(RateLimitProperties.class)) {
                requireBound(name.append(own), target, context, result);
            }
            context.getSources().forEach(PropertyNames::warn);
        }
    }

    private void requireBound(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        try {
            super.onFinish(name, target, context, result);
        } catch (UnboundConfigurationPropertiesException e) {
            if (e.getUnboundProperties().stream().allMatch(PropertyNames::isUnset)) {
                return;
            }
            throw name.toString().matches(".*\\.(redis|postgresql)") ? withoutSecrets(e) : e;
        }
    }

    /** An empty text is no number: so it takes away what another source has. */
    private static boolean isUnset(ConfigurationProperty property) {
        return "".equals(property.getValue())
                && OF_LIMITERS.matcher(property.getName().toString()).matches();
    }

    private static RuntimeException withoutSecrets(UnboundConfigurationPropertiesException unbound) {
        return new UnboundConfigurationPropertiesException(unbound.getUnboundProperties().stream()
                .map(property -> new ConfigurationProperty(property.getName(), "not shown", property.getOrigin()))
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static void warn(ConfigurationPropertySource source) {
        if (source instanceof IterableConfigurationPropertySource variables && !WRITTEN.apply(source)) {
            variables.stream()
                    .filter(name -> LIMITERS.isAncestorOf(name)
                            && !OF_LIMITERS.matcher(name.toString()).matches())
                    .map(source::getConfigurationProperty)
                    .filter(Objects::nonNull)
                    .forEach(property ->
                            LOG.warn("%s: no such property of a limiter (from %s, its value: %s); known: %s"
                                    .formatted(
                                            property.getName(),
                                            property.getOrigin(),
                                            property.getValue(),
                                            String.join(", ", names(LimiterProperties.class)))));
        }
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
                Map<String, String> here = new HashMap<>();
                iterable.stream().filter(parent::isAncestorOf).forEach(property -> {
                    String plain = name(parent, property, Form.UNIFORM);
                    String name = name(parent, property, Form.ORIGINAL);
                    String other = here.putIfAbsent(plain, name);
                    if (other != null && !other.equals(name) && WRITTEN.apply(source)) {
                        throw new InvalidRateLimitException(
                                "%s: '%s', '%s': names that differ only in dashes and letter case are one name to Spring Boot"
                                        .formatted(parent, other, name),
                                "rename one of them, or use one spelling");
                    }
                    names.merge(plain, name, (known, later) -> known.equals(plain) ? later : known);
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
