package io.github.ratelimit.content.shared.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.stereotype.Component;

/**
 * Refuses settings that nobody reads: whoever sets one relies on it. Several records of settings share one prefix, so none of them can tell by itself.
 */
@Component
final class KnownSettings implements BeanFactoryPostProcessor, EnvironmentAware {
    private static final String PREFIX = "content-api";
    private static final String LIST = "[]";
    private static final Pattern CAPITAL = Pattern.compile("(?=\\p{Lu})");

    /** What platforms tell each process of the addresses of a service; its name may begin with ours, and it may be us. */
    private static final Pattern ADDRESSES_OF_A_SERVICE =
            Pattern.compile("(?:\\.\\w+|\\[])*\\.(?:service\\.(?:host|port(?:\\..+)?)"
                    + "|port(?:\\[]\\.(?:tcp|udp|sctp)(?:\\.(?:proto|port|addr))?)?)");

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

    /** Each with {@code []} behind the name of a list, and also without it where the list may be said in one text. */
    private static void addAll(Set<String> known, String prefix, Class<?> settings) {
        for (RecordComponent component : settings.getRecordComponents()) {
            String name = prefix + "."
                    + CAPITAL.matcher(component.getName()).replaceAll("-").toLowerCase(Locale.ROOT);
            boolean isList = component.getGenericType() instanceof ParameterizedType;
            Class<?> type = element(component.getGenericType());
            if (type.isRecord() && type.getName().startsWith("io.github.ratelimit.")) {
                addAll(known, isList ? name + LIST : name, type);
            } else {
                known.add(name);
                if (isList) {
                    known.add(name + LIST);
                }
            }
        }
    }

    /** Tells what a list is of; else the type itself. */
    private static Class<?> element(Type type) {
        Type element = type instanceof ParameterizedType list ? list.getActualTypeArguments()[0] : type;
        return element instanceof Class<?> known ? known : Object.class;
    }

    private static void requireKnown(Environment environment, Set<String> known) {
        ConfigurationPropertySources.get(environment).forEach(source -> {
            if (source instanceof IterableConfigurationPropertySource all) {
                requireKnown(all, ConfigurationPropertyName.of(PREFIX), KnownSettings::spelling, known);
                if (isOfTheEnvironment(source)) {
                    requireKnown(all, ConfigurationPropertyName.of(dotted(PREFIX)), KnownSettings::dotted, known);
                }
            }
        });
    }

    private static void requireKnown(
            IterableConfigurationPropertySource all,
            ConfigurationPropertyName prefix,
            UnaryOperator<String> spelling,
            Set<String> known) {
        Set<String> spellings = known.stream().map(spelling).collect(Collectors.toSet());
        all.stream().filter(prefix::isAncestorOf).forEach(name -> {
            String own = own(name, prefix.getNumberOfElements());
            if (!spellings.contains(spelling.apply(prefix + own))
                    && !saysNothing(all, name)
                    && !(isOfTheEnvironment(all)
                            && ADDRESSES_OF_A_SERVICE.matcher(own).matches())) {
                throw new InvalidSettingException(
                        name.toString(), "there is no such setting", remedy(PREFIX + own, known));
            }
        });
    }

    /** The name below ours, with {@code []} for each number. */
    private static String own(ConfigurationPropertyName name, int from) {
        StringBuilder own = new StringBuilder();
        for (int i = from; i < name.getNumberOfElements(); i++) {
            own.append(name.isNumericIndex(i) ? LIST : "." + name.getElement(i, Form.DASHED));
        }
        return own.toString();
    }

    /** A variable of the environment has no dashes: either they are all left out, or each is an underscore, as each dot is. */
    private static String dotted(String name) {
        return name.replace('-', '.');
    }

    /** Of capitals, dashes and underscores a name says nothing. */
    private static String spelling(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    /** Such as a group in a file of YAML whose members are comments, or a list that is emptied: all of it is the default. */
    private static boolean saysNothing(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return property != null && property.getValue().toString().isEmpty();
    }

    private static boolean isOfTheEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    /** Names those that stand beside what nobody knows, or beside what it is in. */
    private static String remedy(String unknown, Set<String> known) {
        String others = "";
        for (String group = unknown; others.isEmpty() && !group.isEmpty(); group = parent(group)) {
            String members = group + ".";
            others = known.stream().filter(name -> name.startsWith(members)).collect(Collectors.joining(", "));
        }
        return "Leave it out, or write one of " + others + ".";
    }

    private static String parent(String name) {
        int end = name.endsWith(LIST) ? name.length() - LIST.length() : name.lastIndexOf('.');
        return end < 0 ? "" : name.substring(0, end);
    }
}
