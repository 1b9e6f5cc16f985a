package io.github.ratelimit.content.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares a body with the recorded one: same members, same values, placeholders for what varies.
 *
 * <p>Three things are looser, as wording is each product's own: a member {@code message}, the sentences below
 * {@code data.params} and {@code data.details} of an error, and {@code Allow} among the headers of an enveloped answer,
 * which is a set.
 */
final class Expectation {

    private static final String OTHERS = "{{others}}";
    private static final String CONTAINS = "contains:";

    /** Kinds of text, as they may stand within a longer one. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("date", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"),
            Map.entry("int", "-?\\d+"),
            Map.entry("digits", "\\d+"),
            Map.entry("number", "-?\\d+(?:\\.\\d+)?"),
            Map.entry("string", "[\\s\\S]*"),
            Map.entry("text", "[\\s\\S]+"),
            Map.entry("any", "[\\s\\S]*"),
            Map.entry("uploads", "https?://[^\\s\"'<>]+"),
            Map.entry("updir", "[^\\s\"'<>]*"),
            Map.entry("auth_url", "https?://[^\\s\"'<>]+"));

    /** Kinds that are no text when they stand alone. */
    private static final Map<String, Predicate<JsonNode>> KINDS_ALONE = Map.of(
            "int", JsonNode::isIntegralNumber,
            "number", JsonNode::isNumber,
            "any", value -> true);

    private final Names names;
    private final List<String> differences = new ArrayList<>();

    private Expectation(Names names) {
        this.names = names;
    }

    /**
     * Returns in which points an actual body differs; an empty list if in none.
     *
     * @param unordered whether the order of the outermost list is free
     */
    static List<String> compare(Names names, JsonNode expected, JsonNode actual, boolean unordered) {
        Expectation expectation = new Expectation(names);
        if (unordered && expected.isArray() && actual.isArray()) {
            expectation.unordered(expected, actual);
        } else {
            expectation.value("body", expected, actual);
        }
        return expectation.differences;
    }

    /** Says whether a text fits a recorded one. */
    static boolean matches(Names names, String expected, String actual) {
        return pattern(names, expected).matcher(actual).matches();
    }

    private void value(String path, JsonNode expected, @Nullable JsonNode actual) {
        if (actual == null) {
            differ(path, "expected " + brief(expected) + ", is missing");
        } else if (expected.isObject()) {
            object(path, expected, actual);
        } else if (expected.isArray()) {
            list(path, expected, actual);
        } else if (expected.isString()) {
            text(path, expected.asString(), actual);
        } else if (!same(expected, actual)) {
            differ(path, "expected " + brief(expected) + ", was " + brief(actual));
        }
    }

    private void object(String path, JsonNode expected, JsonNode actual) {
        if (!actual.isObject()) {
            differ(path, "expected an object, was " + brief(actual));
            return;
        }
        Set<String> unexpected = new LinkedHashSet<>(actual.propertyNames());
        for (Map.Entry<String, JsonNode> member : expected.properties()) {
            if (member.getKey().equals(OTHERS)) {
                continue;
            }
            String name = names.text(member.getKey());
            unexpected.remove(name);
            member(path, expected, name, member.getValue(), actual.get(name));
        }
        if (!expected.has(OTHERS)) {
            unexpected.forEach(name -> differ(path + "." + name, "unexpected member, was " + brief(actual.path(name))));
        }
    }

    private void member(String path, JsonNode owner, String name, JsonNode expected, @Nullable JsonNode actual) {
        String at = path + "." + name;
        if (actual != null && name.equals("message") && expected.isString()) {
            sentence(at, actual);
        } else if (actual != null && name.equals("data") && owner.has("code") && expected.isObject()) {
            errorData(at, expected, actual);
        } else if (actual != null && name.equalsIgnoreCase("Allow") && path.endsWith(".headers")) {
            if (!methods(expected.asString()).equals(methods(actual.asString()))) {
                differ(at, "expected " + brief(expected) + ", was " + brief(actual));
            }
        } else {
            value(at, expected, actual);
        }
    }

    /** The data of an error: which arguments are wrong, and the code of what is wrong with each, count; sentences do not. */
    private void errorData(String path, JsonNode expected, JsonNode actual) {
        JsonNode params = expected.path("params");
        if (!params.isObject() || !actual.isObject()) {
            value(path, expected, actual);
            return;
        }
        Set<String> unexpected = new LinkedHashSet<>(actual.propertyNames());
        for (Map.Entry<String, JsonNode> member : expected.properties()) {
            unexpected.remove(member.getKey());
            JsonNode found = actual.get(member.getKey());
            if (member.getKey().equals("params") && found != null && found.isObject()) {
                params(path + ".params", params, found);
            } else {
                // Each detail is an error again: its message is its own, its code and data count.
                value(path + "." + member.getKey(), member.getValue(), found);
            }
        }
        unexpected.forEach(name -> differ(path + "." + name, "unexpected member, was " + brief(actual.path(name))));
    }

    private void params(String path, JsonNode expected, JsonNode actual) {
        if (!Set.copyOf(expected.propertyNames()).equals(Set.copyOf(actual.propertyNames()))) {
            differ(path, "expected the arguments " + expected.propertyNames() + ", was " + actual.propertyNames());
        }
        actual.properties().forEach(entry -> sentence(path + "." + entry.getKey(), entry.getValue()));
    }

    private void sentence(String path, JsonNode actual) {
        if (!actual.isString() || actual.asString().isEmpty()) {
            differ(path, "expected a sentence, was " + brief(actual));
        }
    }

    private void list(String path, JsonNode expected, JsonNode actual) {
        if (!actual.isArray()) {
            differ(path, "expected a list, was " + brief(actual));
            return;
        }
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            JsonNode wanted = expected.get(i);
            if (wanted == null) {
                differ(path + "." + i, "unexpected entry, was " + brief(actual.path(i)));
            } else {
                value(path + "." + i, wanted, actual.get(i));
            }
        }
    }

    private void unordered(JsonNode expected, JsonNode actual) {
        List<JsonNode> left = new ArrayList<>(actual.valueStream().toList());
        for (JsonNode wanted : expected) {
            boolean found = left.removeIf(
                    once(item -> compare(names, wanted, item, false).isEmpty()));
            if (!found) {
                differ("body", "expected an entry " + brief(wanted));
            }
        }
        left.forEach(item -> differ("body", "unexpected entry " + brief(item)));
    }

    private void text(String path, String expected, JsonNode actual) {
        Matcher alone = Names.PLACEHOLDER.matcher(expected);
        if (alone.matches()) {
            String name = alone.group(1);
            Predicate<JsonNode> kind = KINDS_ALONE.get(name);
            JsonNode bound = names.find(name);
            if (kind != null ? kind.test(actual) : bound != null && same(bound, actual)) {
                return;
            }
            if (kind != null || bound != null) {
                differ(
                        path,
                        "expected " + expected + (bound == null ? "" : " = " + brief(bound)) + ", was "
                                + brief(actual));
                return;
            }
        }
        // Before the kind of value is looked at: a name that nothing is bound to is reported as such.
        Pattern wanted = pattern(names, expected);
        if (!actual.isString() || !wanted.matcher(actual.asString()).matches()) {
            differ(path, "expected " + shorten('"' + expected + '"') + ", was " + brief(actual));
        }
    }

    private static Pattern pattern(Names names, String template) {
        StringBuilder regex = new StringBuilder();
        Matcher matcher = Names.PLACEHOLDER.matcher(template);
        int end = 0;
        while (matcher.find()) {
            regex.append(Pattern.quote(template.substring(end, matcher.start())));
            regex.append(part(names, matcher.group(1)));
            end = matcher.end();
        }
        return Pattern.compile(
                regex.append(Pattern.quote(template.substring(end))).toString());
    }

    private static String part(Names names, String name) {
        if (name.startsWith(CONTAINS)) {
            return "[\\s\\S]*" + Pattern.quote(name.substring(CONTAINS.length())) + "[\\s\\S]*";
        }
        String kind = KINDS.get(name);
        return kind != null ? kind : Pattern.quote(names.text("{{" + name + "}}"));
    }

    /** Numbers are the same if they are the same number, however they are written. */
    private static boolean same(JsonNode expected, JsonNode actual) {
        if (expected.isNumber() && actual.isNumber()) {
            return expected.decimalValue().compareTo(actual.decimalValue()) == 0;
        }
        return expected.equals(actual);
    }

    private static <T> Predicate<T> once(Predicate<T> condition) {
        boolean[] done = {false};
        return value -> !done[0] && (done[0] = condition.test(value));
    }

    /** Returns the methods that a field lists. */
    static Set<String> methods(String field) {
        return Arrays.stream(field.split(","))
                .map(method -> method.strip().toUpperCase(Locale.ROOT))
                .filter(method -> !method.isEmpty())
                .collect(Collectors.toSet());
    }

    private void differ(String path, String how) {
        differences.add(path + ": " + how);
    }

    private static String brief(JsonNode value) {
        return shorten(value.toString());
    }

    private static String shorten(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}
