package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.ratelimit.spring.RateLimit;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** What a native image has to be told: each reflective access of this module, and the hint for it. */
class NativeHintsTest {

    private static final Pattern REFLECTIVE =
            Pattern.compile("(java\\.lang\\.(Class|ClassLoader|reflect\\..*|invoke\\..*)"
                    + "|java\\.util\\.ServiceLoader|org\\.springframework\\..*(Utils|MethodIntrospector))"
                    + "\\.(forName|isPresent|resolveClassName|loadClass|load|find(Method|Field|Constructor|Virtual|Static)|invoke(Method)?|getField"
                    + "|get(All|Unique)?(Declared)?(Methods?|Fields|Constructors?)|getDeclaredField|getRecordComponents|getResource(s|AsStream)?"
                    + "|newInstance|instantiateClass|newProxyInstance|selectMethods)");

    private final RuntimeHints hints = new RuntimeHints();

    NativeHintsTest() {
        new NativeHints().registerHints(hints, getClass().getClassLoader());
    }

    private static Set<String> accesses() {
        Set<String> found = new TreeSet<>();
        new ClassFileImporter()
                .withImportOption(location -> location.contains("/ratelimit-spring/") && location.contains("/classes/"))
                .importPackages("io.github.ratelimit.spring")
                .forEach(type -> type.getAccessesFromSelf().stream()
                        .map(JavaAccess::getTarget)
                        .filter(to -> REFLECTIVE
                                .matcher(to.getOwner().getName() + "." + to.getName())
                                .matches())
                        .forEach(to -> found.add("%s: %s.%s"
                                .formatted(type.getSimpleName(), to.getOwner().getSimpleName(), to.getName()))));
        return found;
    }

    @Test
    void eachReflectiveAccessIsKnown() {
        assertThat(accesses())
                .containsExactlyInAnyOrder(
                        // Of beans' classes: Spring gives hints for annotated methods, as @RateLimit is @Reflective.
                        "Annotations: MethodIntrospector.selectMethods",
                        "Annotations: ReflectionUtils.getDeclaredMethods",
                        "Annotations: ReflectionUtils.getUniqueDeclaredMethods",
                        "AnnotatedBeans: MethodIntrospector.selectMethods",
                        "StartCheck: MethodIntrospector.selectMethods",
                        "ExchangeRejections: MethodIntrospector.selectMethods", // of @ModelAttribute, which is
                        // @Reflective
                        // Of properties: Spring Boot gives hints for what it binds.
                        "PropertyNames: Class.getDeclaredConstructors",
                        // Whose names are in NativeHints.
                        "CorsFilters: ClassUtils.isPresent",
                        "ExchangeCall: ClassUtils.isPresent",
                        "ExchangeRejections: ClassUtils.isPresent",
                        "RateLimitWebMvcAutoConfiguration: ClassUtils.isPresent",
                        "HealthProbes: ClassUtils.isPresent",
                        "CurrentCall: ClassUtils.isPresent",
                        "MethodLimitInterceptor: ClassUtils.isPresent",
                        "RateLimitException: ClassUtils.isPresent",
                        "ReactiveAnswers: ClassUtils.isPresent",
                        "ForwardingFieldsWarning: ClassUtils.isPresent",
                        "ServerOrigin: ClassUtils.isPresent",
                        "CountsHere: ClassUtils.isPresent", // a condition, which the build has evaluated
                        // Whose members and proxies are in NativeHints.
                        "HikariPool: Proxy.newProxyInstance",
                        "ApplicationRedis: ReflectionUtils.findField",
                        "ApplicationRedis: ReflectionUtils.getField",
                        "FirstValve: ReflectionUtils.findMethod",
                        "FirstValve: ReflectionUtils.invokeMethod",
                        "ExchangeRejections: ReflectionUtils.findMethod");
    }

    @Test
    void typesThatAreAskedForByNameHaveHints() {
        for (String name : NativeHints.TYPES) {
            if (ClassUtils.isPresent(name, null)) { // else of the other line of Spring Boot
                assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(name)))
                        .as(name)
                        .accepts(hints);
            }
        }
    }

    @Test
    void membersThatAreCalledByNameHaveHints() throws Exception {
        assertThat(requireNonNull(hints.reflection().getTypeHint(LettuceConnectionFactory.class))
                        .fields())
                .extracting(FieldHint::getName)
                .containsExactly("configuration");
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod("io.github.ratelimit.spring.internal.web.reactive.ExchangeRejections", "fail")
                        .invoke())
                .accepts(hints);
        String tomcat = ClassUtils.isPresent("org.springframework.boot.tomcat.TomcatWebServerFactory", null)
                ? "org.springframework.boot.tomcat.TomcatWebServerFactory"
                : "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory";
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(tomcat, "addEngineValves")
                        .invoke())
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/redis/counters.lua"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/postgresql/schema.sql"))
                .accepts(hints);
    }

    @Test
    void connectionsBesideAPoolHaveHints() {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DataSource.class))
                .accepts(hints);
    }

    static class Mailer {
        @RateLimit("mails")
        @RateLimit("others")
        public void send() {}

        @RateLimit("mails")
        public void sendAll() {}
    }

    @Test
    void annotatedMethodsHaveHints() throws Exception {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Mailer.class);
        for (String name : new String[] {"send", "sendAll"}) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onMethod(Mailer.class.getMethod(name))
                            .invoke())
                    .accepts(hints);
        }
    }
}
