package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.MethodCall;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A key made of a method's arguments by an expression, {@code #tenant} or {@code #order.customer}: Spring's expression language, where each
 * parameter is a variable. Read once, when it is made.
 *
 * <p>Null is an absent part: all calls without a value share one count. Safe for concurrent use.
 */
public final class ArgumentKey implements KeyResolver<HttpCall> {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final SpelExpression expression;
    private final Set<String> parameters;

    private ArgumentKey(SpelExpression expression) {
        this.expression = expression;
        Set<String> found = new LinkedHashSet<>();
        collect(expression.getAST(), found);
        this.parameters = Set.copyOf(found);
    }

    /**
     * Reads an expression.
     *
     * @param text begins with {@code #} and the name of a parameter
     * @throws IllegalArgumentException if it cannot be read; says where
     */
    public static ArgumentKey of(String text) {
        return of("key", text);
    }

    /** The same where it is something else than a key. */
    public static ArgumentKey of(String what, String text) {
        try {
            return new ArgumentKey(PARSER.parseRaw(text));
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    "%s '%s' is no expression: %s".formatted(what, text, e.getSimpleMessage()), e);
        }
    }

    /** The names of the parameters that it needs. */
    public Set<String> parameters() {
        return parameters;
    }

    private static void collect(SpelNode node, Set<String> found) {
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            if (!name.equals("this")) { // the element of a selection
                found.add(name);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), found);
        }
    }

    /**
     * The key of a call.
     *
     * @throws IllegalStateException if no method is called, the expression fails for the arguments, or the value has no text
     */
    @Override
    public Key resolve(HttpCall call) {
        MethodCall method = call.request(MethodCall.class)
                .orElseThrow(() -> new IllegalStateException(
                        "key '%s' is made of a method's arguments, and an HTTP request has none".formatted(this)));
        Object value = value(method);
        return value == null ? Key.absent() : Key.of(ArgumentText.of(value, toString()));
    }

    /**
     * The cost of a call, where the expression is that.
     *
     * @throws IllegalArgumentException if the expression fails for the arguments, or is no whole number of 0 or more
     */
    long cost(String limiter, MethodCall call) {
        Object value;
        try {
            value = value(call);
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "limiter '%s': cost '%s' cannot be read for a call of %s".formatted(limiter, this, call.path()),
                    e.getCause());
        }
        try {
            long cost = value instanceof Number number ? new BigDecimal(number.toString()).longValueExact() : -1;
            if (cost >= 0) {
                return cost;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException(
                "limiter '%s': cost '%s' must be a whole number of 0 or more, was %s".formatted(limiter, this, value));
    }

    private @Nullable Object value(MethodCall method) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        for (String parameter : parameters) {
            context.setVariable(parameter, method.argument(parameter));
        }
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            // Not the exception's own message alone: it may quote what the method was called with.
            throw new IllegalStateException(
                    "key '%s' cannot be made for a call of %s".formatted(this, method.path()), e);
        }
    }

    /** The expression as it was written. */
    @Override
    public String toString() {
        return expression.getExpressionString();
    }
}
