package io.github.ratelimit.content.shared.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Refuses settings that nobody reads: whoever sets one relies on it. Several records of settings share one prefix, so none of them can tell by itself.
 */
@Component
final class KnownSettings implements BeanFactoryPostProcessor, EnvironmentAware {
    private static final String PREFIX = "content-api";
    private static final Pattern CAPITAL = Pattern.compile("(?=\\p{Lu})");
    private static final Pattern INDEX = Pattern.compile("\\[[^\\]]*]");

    @Nullable
    private Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Set<String> known = new TreeSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            ConfigurationProperties settings = beans.findAnnotationOnBean(name, ConfigurationProperties.class, false);
            Class<?> type = beans.getType(name, false);
            if (settings != null && type != null && settings.value().startsWith(PREFIX)) {
                addAll(known, settings.value(), type);
            }
        }
        if (environment != null) {
            requireKnown(environment, known);
        }
    }

    private static void addAll(Set<String> known, String prefix, Class<?> settings) {
        for (RecordComponent component : settings.getRecordComponents()) {
            String name = prefix + "."
                    + CAPITAL.matcher(component.getName()).replaceAll("-").toLowerCase(Locale.ROOT);
            Class<?> type = element(component.getGenericType());
            if (type.isRecord() && type.getName().startsWith("io.github.ratelimit.")) {
                addAll(known, name, type);
            } else {
                known.add(name);
            }
        }
    }

    /** Tells what a list is of; else the type itself. */
    private static Class<?> element(Type type) {
        Type element = type instanceof ParameterizedType list ? list.getActualTypeArguments()[0] : type;
        return element instanceof Class<?> known ? known : Object.class;
    }

    private static void requireKnown(Environment environment, Set<String> known) {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(PREFIX);
        Set<ConfigurationPropertyName> names =
                known.stream().map(ConfigurationPropertyName::of).collect(Collectors.toCollection(HashSet::new));
        ConfigurationPropertySources.get(environment).forEach(source -> {
            if (source instanceof IterableConfigurationPropertySource all) {
                all.stream().filter(prefix::isAncestorOf).forEach(name -> {
                    // A variable of the environment has no dashes.
                    String own = name.toString()
                            .substring(name.getElement(0, Form.DASHED).length());
                    String unnumbered = PREFIX + INDEX.matcher(own).replaceAll("");
                    // In whatever spelling: of capitals and dashes a name says nothing.
                    if (!names.contains(ConfigurationPropertyName.adapt(unnumbered, '.'))) {
                        throw new InvalidSettingException(
                                name.toString(), "there is no such setting", remedy(unnumbered, known));
                    }
                });
            }
        });
    }

    /** Names those that stand beside what nobody knows, or beside what it is in. */
    private static String remedy(String unknown, Set<String> known) {
        String others = "";
        for (String group = unknown; others.isEmpty(); ) {
            group = group.substring(0, group.lastIndexOf('.'));
            String parent = group + ".";
            others = known.stream().filter(name -> name.startsWith(parent)).collect(Collectors.joining(", "));
        }
        return "Leave it out, or write one of " + others + ".";
    }
}
