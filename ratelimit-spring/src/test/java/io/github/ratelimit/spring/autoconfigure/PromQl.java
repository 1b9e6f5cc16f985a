package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of Prometheus' query language as the dashboard and the alerts use, asked of two texts of an endpoint that are five minutes apart.
 * What it does not know fails: an expression is read as a whole or not at all.
 */
final class PromQl {

    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)(?: \\d+)?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\",?");
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(=~|!=|>=|<=|==|\"[^\"]*\"|[0-9.]+[smhd]?|[A-Za-z_]+|[-+*/()\\[\\]{},=<>])");
    private static final Set<String> AGGREGATES = Set.of("sum", "max", "min");
    private static final Set<String> RATES = Set.of("rate", "increase");
    private static final double SECONDS = 300;
    private static final String NAME = "__name__";

    /** Values by their labels, the name among them; of a number one without labels. */
    private record Vector(Map<Map<String, String>, Double> values, boolean isScalar) {

        double number() {
            return requireNonNull(values.get(Map.of()), "a number");
        }

        Map<String, String> withoutName(Map<String, String> labels) {
            Map<String, String> rest = new TreeMap<>(labels);
            rest.remove(NAME);
            return rest;
        }
    }

    private final Map<Map<String, String>, Double> before;
    private final Map<Map<String, String>, Double> now;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private PromQl(String expression, String before, String now) {
        this.before = series(before);
        this.now = series(now);
        Matcher token = TOKEN.matcher(expression.strip());
        int end = 0;
        while (token.find() && token.start() == end) {
            tokens.add(token.group(1));
            end = token.end();
        }
        if (end < expression.strip().length()) {
            throw new IllegalArgumentException(
                    "cannot read '%s'".formatted(expression.strip().substring(end)));
        }
    }

    /** What an expression answers: values by their labels. */
    static Map<Map<String, String>, Double> ask(String expression, String before, String now) {
        PromQl query = new PromQl(expression, before, now);
        Vector answer = query.comparison();
        if (query.at < query.tokens.size()) {
            throw new IllegalArgumentException(
                    "cannot read '%s' of: %s".formatted(query.tokens.get(query.at), expression));
        }
        return answer.values();
    }

    /** What stands in a text of an endpoint. */
    static Map<Map<String, String>, Double> series(String text) {
        Map<Map<String, String>, Double> series = new HashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher read = LINE.matcher(line);
            if (read.matches()) {
                Map<String, String> labels = new TreeMap<>(Map.of(NAME, read.group(1)));
                Matcher label = LABEL.matcher(read.group(2) == null ? "" : read.group(2));
                while (label.find()) {
                    labels.put(label.group(1), label.group(2));
                }
                series.put(labels, Double.valueOf(read.group(3)));
            }
        });
        return series;
    }

    private Vector comparison() {
        Vector left = product();
        while (true) {
            boolean above = is(">");
            if (!above && !is("==")) {
                return left;
            }
            double limit = product().number();
            Map<Map<String, String>, Double> kept = new HashMap<>(left.values());
            kept.values().removeIf(value -> above ? value <= limit : value != limit);
            left = new Vector(kept, false);
        }
    }

    private Vector product() {
        Vector left = operand();
        while (true) {
            if (is("/")) {
                left = combine(left, operand(), (a, b) -> a / b);
            } else if (is("*")) {
                left = combine(left, operand(), (a, b) -> a * b);
            } else {
                return left;
            }
        }
    }

    /** Where the other side is no number: what has the same labels. */
    private static Vector combine(Vector left, Vector right, DoubleBinaryOperator with) {
        Map<Map<String, String>, Double> both = new HashMap<>();
        Map<Map<String, String>, Double> others = new HashMap<>();
        right.values().forEach((labels, value) -> others.put(right.withoutName(labels), value));
        left.values().forEach((labels, value) -> {
            Map<String, String> rest = left.withoutName(labels);
            Double other = others.get(right.isScalar() ? Map.of() : rest);
            if (other != null) {
                both.put(rest, with.applyAsDouble(value, other));
            }
        });
        return new Vector(both, left.isScalar() && right.isScalar());
    }

    private Vector operand() {
        if (is("(")) {
            Vector inner = comparison();
            expect(")");
            return inner;
        }
        String word = next();
        if (Character.isDigit(word.charAt(0))) {
            return new Vector(Map.of(Map.of(), Double.valueOf(word)), true);
        } else if (AGGREGATES.contains(word)) {
            return aggregate(word);
        } else if (RATES.contains(word)) {
            expect("(");
            Vector rate = change(next(), word.equals("rate") ? SECONDS : 1);
            expect(")");
            return rate;
        }
        return new Vector(matching(word, now), false);
    }

    private Vector aggregate(String by) {
        expect("by");
        expect("(");
        List<String> kept = new ArrayList<>();
        do {
            kept.add(next());
        } while (is(","));
        expect(")");
        expect("(");
        Vector inner = comparison();
        expect(")");
        Map<Map<String, String>, Double> groups = new HashMap<>();
        inner.values().forEach((labels, value) -> {
            Map<String, String> group = new TreeMap<>(labels);
            group.keySet().retainAll(kept);
            groups.merge(
                    group,
                    value,
                    switch (by) {
                        case "sum" -> Double::sum;
                        case "max" -> Double::max;
                        default -> Double::min;
                    });
        });
        return new Vector(groups, false);
    }

    /** As a rate has it, of what both texts have. */
    private Vector change(String name, double over) {
        int selector = at;
        Map<Map<String, String>, Double> then = matching(name, before);
        at = selector;
        Map<Map<String, String>, Double> changed = new HashMap<>();
        matching(name, now).forEach((labels, value) -> {
            Double earlier = then.get(labels);
            if (earlier != null) {
                changed.put(labels, (value - earlier) / over);
            }
        });
        expect("[");
        if (!next().equals("5m")) {
            throw new IllegalArgumentException("the two texts are 5 minutes apart");
        }
        expect("]");
        Map<Map<String, String>, Double> unnamed = new HashMap<>();
        Vector named = new Vector(changed, false);
        changed.forEach((labels, value) -> unnamed.put(named.withoutName(labels), value));
        return new Vector(unnamed, false);
    }

    private Map<Map<String, String>, Double> matching(String name, Map<Map<String, String>, Double> of) {
        Map<Map<String, String>, Double> found = new HashMap<>(of);
        found.keySet().removeIf(labels -> !name.equals(labels.get(NAME)));
        if (is("{")) {
            do {
                String label = next();
                String operator = next();
                String quoted = next();
                String wanted = quoted.substring(1, quoted.length() - 1);
                found.keySet().removeIf(labels -> {
                    String value = labels.getOrDefault(label, "");
                    return switch (operator) {
                        case "=" -> !value.equals(wanted);
                        case "!=" -> value.equals(wanted);
                        case "=~" -> !value.matches(wanted);
                        default -> throw new IllegalArgumentException("cannot read '%s'".formatted(operator));
                    };
                });
            } while (is(","));
            expect("}");
        }
        return found;
    }

    private boolean is(String token) {
        boolean is = at < tokens.size() && tokens.get(at).equals(token);
        at += is ? 1 : 0;
        return is;
    }

    private void expect(String token) {
        if (!is(token)) {
            throw new IllegalArgumentException("expected '%s' behind %s"
                    .formatted(token, tokens.subList(0, Math.min(at, tokens.size()))));
        }
    }

    private String next() {
        if (at >= tokens.size()) {
            throw new IllegalArgumentException("the expression ends too early: " + tokens);
        }
        return tokens.get(at++);
    }
}
