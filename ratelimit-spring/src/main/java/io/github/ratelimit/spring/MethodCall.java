package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.spring.internal.method.ArgumentText;
import java.lang.reflect.Method;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The call of a bean's method, in the form that limiters of properties and annotations decide about.
 *
 * <p>It comes from nowhere: no address, no header fields, nobody signed in. A {@code KeyResolver} bean gets it by {@code
 * call.request(MethodCall.class)}. Used by one thread at a time.
 */
public final class MethodCall implements HttpCall {

    private static final Origin NOWHERE = Origin.of("", "", name -> List.of());

    private final Method target;
    private final List<String> parameters;
    private final @Nullable Object[] arguments;

    /**
     * Makes one.
     *
     * @param target the method that is called
     * @param parameters the names of its parameters; empty if they are not known
     * @param arguments its arguments
     */
    public MethodCall(Method target, List<String> parameters, @Nullable Object[] arguments) {
        this.target = target;
        this.parameters = List.copyOf(parameters);
        this.arguments = arguments.clone();
    }

    /** The method that is called. */
    public Method target() {
        return target;
    }

    /** The names of the method's parameters; empty if they are not known. */
    public List<String> parameters() {
        return parameters;
    }

    /**
     * The argument of a parameter.
     *
     * @return null if that is null
     * @throws IllegalArgumentException if there is no such parameter; names those there are
     */
    public @Nullable Object argument(String parameter) {
        int at = parameters.indexOf(parameter);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "%s has no parameter '%s'; known: %s".formatted(path(), parameter, String.join(", ", parameters)));
        }
        return arguments[at];
    }

    /** {@code CALL}: of no HTTP method. */
    @Override
    public String method() {
        return "CALL";
    }

    /** For example {@code Mailer.send}. */
    @Override
    public String path() {
        return target.getDeclaringClass().getSimpleName() + "." + target.getName();
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
    }

    @Override
    public Origin origin() {
        return NOWHERE;
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.empty();
    }

    /** The argument of a parameter as text; empty if it is null, or there is no such parameter. */
    @Override
    public Optional<String> attribute(String name) {
        return parameters.contains(name)
                ? Optional.ofNullable(argument(name)).map(value -> ArgumentText.of(value, name))
                : Optional.empty();
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return new HttpDecisions();
    }
}
