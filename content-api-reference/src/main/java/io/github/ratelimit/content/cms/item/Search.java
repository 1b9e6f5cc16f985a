package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    /** No text that is longer is searched for, whatever would be left of it. Chosen: what anybody types, with room for tags. */
    static final int LONGEST_READ = 10_000;

    private static final String BETWEEN = " \t,+\"";
    private static final String SINGLE = "abcdefghijklmnopqrstuvwxyz-";

    /** More words than this are not looked for one by one where the best fit is asked for. */
    private static final int MOST_SORTED = 6;

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

    /** No password guards it. */
    private static final SqlCondition OPEN = new SqlCondition("password = ''");

    private record Word(String text, boolean isExcluded) {}

    /**
     * Says whether a text is searched for at all.
     *
     * @param text as it was typed
     * @return false for nothing, and for more than anybody types
     */
    static boolean isSearched(String text) {
        return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }

    /** How many parts a text has, those that are left out of the search included. */
    private final int parts;

    private final String phrase;
    private final List<Word> words;
    private final List<Column> columns;
    private final boolean isExact;
    private final Guarded guarded;
    private final boolean inFileNames;

    private Search(
            int parts,
            String phrase,
            List<Word> words,
            List<Column> columns,
            boolean isExact,
            Guarded guarded,
            boolean inFileNames) {
        this.parts = parts;
        this.phrase = phrase;
        this.words = words;
        this.columns = columns;
        this.isExact = isExact;
        this.guarded = guarded;
        this.inFileNames = inFileNames;
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
        List<String> parts = split(text);
        List<Word> words = new ArrayList<>();
        for (String part : parts) {
            boolean isPhrase = part.length() > 2 && part.startsWith("\"") && part.endsWith("\"");
            String word = ItemInput.stripped(part, isPhrase ? "\"'" : "\"' ");
            boolean single = word.length() == 1 && SINGLE.indexOf(LetterCase.lower(word)) >= 0;
            if (!ItemInput.isNothing(word) && !single && !EMPTY_WORDS.contains(LetterCase.lower(word))) {
                words.add(word(word));
            }
        }
        if (words.isEmpty() || words.size() > MOST_WORDS) {
            words = List.of(word(text));
        }
        List<Column> searched = columns.isEmpty() ? List.of(Column.values()) : columns;
        return new Search(parts.size(), text, words, searched, isExact, guarded, false);
    }

    /** Looks in the names of files, too, whatever the columns. */
    Search alsoInFileNames() {
        return new Search(parts, phrase, words, columns, isExact, guarded, true);
    }

    private static Word word(String text) {
        return text.startsWith("-") ? new Word(text.substring(1), true) : new Word(text, false);
    }

    /** Splits where spaces, commas, plus signs and quotes are, but for what stands between two quotes. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = at;
            if (text.charAt(at) == '"') {
                int quote = text.indexOf('"', at + 1);
                end = quote < 0 ? text.length() : quote + 1;
                parts.add(text.substring(at, end));
            } else {
                while (end < text.length() && BETWEEN.indexOf(text.charAt(end)) < 0) {
                    end++;
                }
                if (end > at) {
                    parts.add(text.substring(at, end));
                }
                end = Math.max(end, at + 1);
            }
            at = end;
        }
        return parts;
    }

    /** Says what an item must hold. */
    SqlCondition condition() {
        SqlCondition all =
                SqlCondition.allOf(words.stream().map(this::condition).toList());
        return switch (guarded) {
            case OPEN -> all;
            case HIDDEN -> SqlCondition.allOf(List.of(all, OPEN));
            case BY_TITLE ->
                openOr(
                        all,
                        SqlCondition.allOf(words.stream()
                                .map(word -> signed(word, like(Column.POST_TITLE, word.text())))
                                .toList()));
        };
    }

    private static SqlCondition openOr(SqlCondition open, SqlCondition ofGuarded) {
        return SqlCondition.anyOf(List.of(
                SqlCondition.allOf(List.of(OPEN, open)), SqlCondition.allOf(List.of(OPEN.negated(), ofGuarded))));
    }

    private SqlCondition condition(Word word) {
        List<SqlCondition> places = new ArrayList<>();
        columns.forEach(column -> places.add(like(column, word.text())));
        if (inFileNames) {
            places.add(like("coalesce(file, '')", word.text()));
        }
        return signed(word, SqlCondition.anyOf(places));
    }

    private static SqlCondition signed(Word word, SqlCondition condition) {
        return word.isExcluded() ? condition.negated() : condition;
    }

    private SqlCondition like(Column column, String text) {
        return like(column.sql, text);
    }

    private SqlCondition like(String place, String text) {
        return new SqlCondition(LetterCase.lowerSql(place) + " like ? escape '!'", pattern(text));
    }

    private String pattern(String text) {
        String escaped = SqlCondition.escape(LetterCase.lower(text));
        return isExact ? escaped : "%" + escaped + "%";
    }

    /**
     * Says in which places a search fits best, the best first: phrase in the title, all words there, any word, excerpt,
     * content. What fulfils one comes before what does not; nothing where all fit alike.
     */
    List<SqlCondition> steps() {
        List<SqlCondition> inTitle = words.stream()
                .filter(word -> !word.isExcluded())
                .map(word -> like(Column.POST_TITLE, word.text()))
                .toList();
        if (parts < 2) {
            return inTitle.stream().limit(1).toList();
        }
        // A phrase that holds what must not occur is in no place.
        boolean hasPhrase = !phrase.startsWith("-") && !phrase.contains(" -");
        List<SqlCondition> steps = new ArrayList<>();
        if (hasPhrase) {
            steps.add(like(Column.POST_TITLE, phrase));
        }
        if (!inTitle.isEmpty() && inTitle.size() <= MOST_SORTED) {
            steps.add(SqlCondition.allOf(inTitle));
            steps.add(SqlCondition.anyOf(inTitle));
        }
        if (hasPhrase) {
            steps.add(readable(like(Column.POST_EXCERPT, phrase)));
            steps.add(readable(like(Column.POST_CONTENT, phrase)));
        }
        return steps;
    }

    /** The place of a guarded item must not tell what its text says, either. */
    private SqlCondition readable(SqlCondition condition) {
        return guarded == Guarded.OPEN ? condition : SqlCondition.allOf(List.of(OPEN, condition));
    }
}
