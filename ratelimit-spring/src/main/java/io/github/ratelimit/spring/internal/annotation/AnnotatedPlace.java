package io.github.ratelimit.spring.internal.annotation;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Limit;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * One annotation where it holds.
 *
 * @param controller the controller or other bean, also where the annotation stands on its superclass or interface
 * @param method null: the annotation stands on the class
 * @param index which one it is of the annotations there, from 0
 * @param annotation what it says
 */
record AnnotatedPlace(Class<?> controller, @Nullable Method method, int index, RateLimit annotation) {

    private static final int LONGEST_NAME = 64;

    /** @param described whether anything but the name of a limiter is given */
    AnnotatedPlace checked(boolean described) {
        if (isInline() == described) {
            return this;
        }
        throw described
                ? invalid(
                        "names a limiter and describes one",
                        "give either its name or permits and window; the key of a limiter that is named stands where it is described")
                : invalid("says nothing", "give the name of a limiter, or permits and window");
    }

    /** Whether it describes a limiter in place. */
    boolean isInline() {
        return annotation.value().isEmpty();
    }

    /** Differs from that of every other place, and is the same in every process. */
    String id() {
        String signature = method == null
                ? ""
                : parameterTypes(method)
                        .map(Class::getName)
                        .collect(Collectors.joining(",", method.getName() + "(", ")"));
        return controller.getName() + "#" + signature + "#" + index;
    }

    boolean isNamed() {
        return !annotation.name().isEmpty();
    }

    /** The name of the limiter described here; made of this place alone unless it is given. */
    String describedName() {
        if (isNamed()) {
            return annotation.name();
        }
        String parameters = method == null
                ? ""
                : parameterTypes(method)
                        .limit(writtenParameters(method))
                        .map(type -> "-" + type.getSimpleName())
                        .collect(Collectors.joining());
        String name = label() + parameters + (index == 0 ? "" : "-" + (index + 1));
        return name.substring(0, Math.min(LONGEST_NAME, name.length())).replaceAll("[^A-Za-z0-9._-]", "_");
    }

    private static Stream<Class<?>> parameterTypes(Method method) {
        return Arrays.stream(method.getParameterTypes());
    }

    /** Without the continuation that Kotlin's compiler adds to a {@code suspend} function: nobody wrote it. */
    private static int writtenParameters(Method method) {
        return method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
    }

    /** {@code PostController.create}, or {@code PostController} alone. */
    String label() {
        return method == null ? controller.getSimpleName() : controller.getSimpleName() + "." + method.getName();
    }

    /**
     * The limit that it describes.
     *
     * @param placeholders puts values in place of placeholders of the window; throws {@link IllegalArgumentException} where there is none
     */
    Limit limit(String name, UnaryOperator<String> placeholders) {
        try {
            Optional<CalendarWindow.Unit> unit = CalendarWindow.Unit.named(annotation.window());
            return unit.isPresent()
                    ? Limit.calendar(name, permits(placeholders), CalendarWindow.of(unit.get(), ZoneOffset.UTC))
                    : Limit.of(name, permits(placeholders), duration("window", annotation.window(), placeholders));
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()), "correct the annotation");
        }
    }

    private long permits(UnaryOperator<String> placeholders) {
        String written = annotation.permitsString();
        if (written.isEmpty()) {
            return annotation.permits();
        }
        if (annotation.permits() != 0) {
            throw invalid("gives permits and permitsString", "give one of them");
        }
        String text = resolved("permitsString", written, "${my.permits:600}", placeholders)
                .strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid("permitsString '" + text + "' is no number" + from(written), "write for example 600");
        }
    }

    /** Whether it lets callers wait. */
    boolean waits() {
        return !annotation.maxWait().isEmpty();
    }

    /**
     * The longest wait for permits.
     *
     * @param placeholders puts values in place of placeholders; throws {@link IllegalArgumentException} where there is none
     */
    Duration maxWait(UnaryOperator<String> placeholders) {
        return duration("maxWait", annotation.maxWait(), placeholders);
    }

    private Duration duration(String member, String written, UnaryOperator<String> placeholders) {
        String example = "${my.%s:1m}".formatted(member.toLowerCase(Locale.ROOT));
        String text = resolved(member, written, example, placeholders).strip();
        try {
            return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.SECONDS);
        } catch (IllegalArgumentException e) {
            throw noDuration(member, written, text);
        }
    }

    private String resolved(String member, String written, String example, UnaryOperator<String> placeholders) {
        if (!written.contains("${")) {
            return written;
        }
        try {
            return placeholders.apply(written);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    member + " '" + written + "' has a placeholder without a value",
                    "set the property, or write a default behind a colon, for example " + example);
        }
    }

    private InvalidRateLimitException noDuration(String member, String written, String text) {
        return invalid(
                member + " '" + text + "' is not a duration" + from(written),
                "write for example 30s, 1m, 24h; for a window also day, week, month, quarter or year");
    }

    private static String from(String written) {
        return written.contains("${") ? ", which is the value of '" + written + "'" : "";
    }

    InvalidRateLimitException invalid(String message, String remedy) {
        return new InvalidRateLimitException(this + ": " + message, remedy);
    }

    InvalidRateLimitException invalid(Diagnostic diagnostic, String message, String remedy) {
        return new InvalidRateLimitException(diagnostic, this + ": " + message, remedy);
    }

    private String permitsAsWritten() {
        return annotation.permitsString().isEmpty()
                ? "permits = " + annotation.permits()
                : "permitsString = \"" + annotation.permitsString() + "\"";
    }

    /** {@code @RateLimit("comments") on PostController.create}. */
    @Override
    public String toString() {
        String members = isInline()
                ? "(%s, window = \"%s\")".formatted(permitsAsWritten(), annotation.window())
                : "(\"" + annotation.value() + "\")";
        return "@RateLimit" + members + " on " + label();
    }
}
