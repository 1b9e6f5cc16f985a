package io.github.ratelimit.content.widget;

import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.ParamJavadoc;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import com.github.therapi.runtimejavadoc.ToHtmlStringCommentVisitor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** What the Javadoc says, as CommonMark: its processor keeps it beside the classes. */
final class Comments {

    private Comments() {}

    /** Returns what is said of a class; null where nothing is. */
    static @Nullable String of(Class<?> type) {
        return text(RuntimeJavadoc.getJavadoc(type).getComment());
    }

    /** Returns what is said of a method; null where nothing is. */
    static @Nullable String of(Method method) {
        return text(RuntimeJavadoc.getJavadoc(method).getComment());
    }

    /** Returns what is said of a record's components, by the names of their members. */
    static Map<String, String> ofComponents(Class<?> type) {
        return byName(RuntimeJavadoc.getJavadoc(type).getRecordComponents());
    }

    /** Returns what is said of a method's parameters, by their names in a query. */
    static Map<String, String> ofParameters(Method method) {
        return byName(RuntimeJavadoc.getJavadoc(method).getParams());
    }

    private static Map<String, String> byName(List<ParamJavadoc> parts) {
        return parts.stream()
                .collect(Collectors.toMap(
                        part -> DescribedRecords.NAMES.translate(part.getName()),
                        part -> StringUtils.capitalize(String.valueOf(text(part.getComment())))));
    }

    private static @Nullable String text(Comment comment) {
        var text = new ToHtmlStringCommentVisitor() {
            @Override
            public void inlineTag(String name, String value) {
                buf.append(name.equals("code") ? '`' + value + '`' : value);
            }
        };
        comment.visit(text);
        String whole =
                text.build().replaceAll("\\s+", " ").replace(" <p>", "\n\n").strip();
        return whole.isEmpty() ? null : whole;
    }
}
