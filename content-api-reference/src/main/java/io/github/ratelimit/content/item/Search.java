package io.github.ratelimit.content.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Words to be found in items.
 *
 * <p>All words must occur, each in any of the columns. {@code "two words"} belong together, {@code -word} must not occur.
 * What a caller may not read is not searched: of guarded items, visitors find nothing, and others without the right to
 * edit them find the title.
 */
final class Search {
    /** More words than this are looked for as one text. Chosen: what clients of this interface know. */
    private static final int MOST_WORDS = 9;

    private static final int LONGEST = 1600;

    /** Words that say nothing in English. */
    private static final Set<String> EMPTY_WORDS = Set.of(
            "about", "an", "are", "as", "at", "be", "by", "com", "for", "from", "how", "in", "is", "it", "of", "on",
            "or", "that", "the", "this", "to", "was", "what", "when", "where", "who", "will", "with", "www");

    /** Where words are looked for. */
    enum Column {
        /** The title. */
        POST_TITLE("title"),
        /** The excerpt as written. */
        POST_EXCERPT("excerpt"),
        /** The content as written. */
        POST_CONTENT("content");

        private final String sql;

        Column(String sql) {
            this.sql = sql;
        }
    }

    /** Whose guarded items are found. */
    enum Guarded {
        /** None are. */
        HIDDEN,
        /** They are found by their title. */
        BY_TITLE,
        /** They are like any other. */
        OPEN
    }

    private record Word(String text, boolean isExcluded) {}

    private final String phrase;
    private final List<Word> words;
    private final List<Column> columns;
    private final boolean isExact;
    private final Guarded guarded;

    private Search(String phrase, List<Word> words, List<Column> columns, boolean isExact, Guarded guarded) {
        this.phrase = phrase;
        this.words = words;
        this.columns = columns;
        this.isExact = isExact;
        this.guarded = guarded;
    }

    /**
     * Takes a search apart.
     *
     * @param text as it was typed, not blank
     * @param columns where to look; all if empty
     * @param isExact whether a word must be all that a column holds
     * @param guarded whose guarded items are found
     */
    static Search of(String text, List<Column> columns, boolean isExact, Guarded guarded) {
        String kept = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        List<String> parts = split(kept);
        List<Word> words = new ArrayList<>();
        for (String part : parts) {
            boolean excluded = part.startsWith("-") && part.length() > 1;
            String word = strip(excluded ? part.substring(1) : part);
            String lower = word.toLowerCase(Locale.ROOT);
            boolean single = word.length() == 1 && lower.charAt(0) >= 'a' && lower.charAt(0) <= 'z';
            if (!word.isEmpty() && !single && !EMPTY_WORDS.contains(lower)) {
                words.add(new Word(word, excluded));
            }
        }
        if (words.isEmpty() || words.size() > MOST_WORDS) {
            words = List.of(new Word(kept, false));
        }
        return new Search(kept, words, columns.isEmpty() ? List.of(Column.values()) : columns, isExact, guarded);
    }

    /** Splits where spaces, commas and plus signs are, but not between quotes. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == '"') {
                quoted = !quoted;
                part.append(one);
            } else if (!quoted && (Character.isWhitespace(one) || one == ',' || one == '+')) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(one);
            }
        }
        parts.add(part.toString());
        parts.removeIf(String::isEmpty);
        return parts;
    }

    private static String strip(String word) {
        return word.replace("\"", "").strip();
    }

    String condition() {
        String all = words.stream().map(this::condition).collect(Collectors.joining(" and "));
        return switch (guarded) {
            case OPEN -> "(" + all + ")";
            case HIDDEN -> "(" + all + " and password = '')";
            case BY_TITLE -> {
                String titles = words.stream()
                        .map(word -> (word.isExcluded() ? "not " : "") + like(Column.POST_TITLE))
                        .collect(Collectors.joining(" and "));
                yield "(case when password = '' then " + all + " else " + titles + " end)";
            }
        };
    }

    private String condition(Word word) {
        String any = columns.stream().map(Search::like).collect(Collectors.joining(" or "));
        return (word.isExcluded() ? "not " : "") + "(" + any + ")";
    }

    private static String like(Column column) {
        return "lower(" + column.sql + ") like ? escape '!'";
    }

    List<@Nullable Object> conditionValues() {
        List<@Nullable Object> values = new ArrayList<>();
        for (Word word : words) {
            columns.forEach(column -> values.add(pattern(word.text())));
        }
        if (guarded == Guarded.BY_TITLE) {
            words.forEach(word -> values.add(pattern(word.text())));
        }
        return values;
    }

    private String pattern(String text) {
        String escaped = ItemQuery.escape(text.toLowerCase(Locale.ROOT));
        return isExact ? escaped : "%" + escaped + "%";
    }

    /** The better a place, the smaller the number: phrase in the title, all words there, any word, excerpt, content. */
    String order() {
        String title = like(Column.POST_TITLE);
        List<Word> wanted = wanted();
        if (wanted.size() < 2) {
            return "case when " + title + " then 1 else 2 end";
        }
        String all = wanted.stream().map(word -> title).collect(Collectors.joining(" and "));
        String any = wanted.stream().map(word -> title).collect(Collectors.joining(" or "));
        return "case when " + title + " then 1 when " + all + " then 2 when " + any + " then 3 when "
                + like(Column.POST_EXCERPT) + " then 4 when " + like(Column.POST_CONTENT) + " then 5 else 6 end";
    }

    List<@Nullable Object> orderValues() {
        List<Word> wanted = wanted();
        List<@Nullable Object> values = new ArrayList<>();
        if (wanted.size() < 2) {
            values.add(pattern(wanted.isEmpty() ? phrase : wanted.get(0).text()));
            return values;
        }
        values.add(pattern(phrase));
        wanted.forEach(word -> values.add(pattern(word.text())));
        wanted.forEach(word -> values.add(pattern(word.text())));
        values.add(pattern(phrase));
        values.add(pattern(phrase));
        return values;
    }

    private List<Word> wanted() {
        return words.stream().filter(word -> !word.isExcluded()).toList();
    }
}
