package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Words to be found in items.
 *
 * <p>All words must occur, each in any of the columns. {@code "two words"} belong together, {@code -word} must not occur.
 * Guarded items are found by their authors, and by callers that may edit the posts of others.
 *
 * @param phrase all that was typed, if it is more than a word
 * @param words what must occur, or not
 * @param columns where they are looked for
 * @param isExact whether a word must be all that a column holds
 * @param caller who looks for them
 * @param inFileNames whether names of files count, too
 */
record Search(
        String phrase, List<Word> words, List<Column> columns, boolean isExact, Caller caller, boolean inFileNames) {
    /** More words than this are looked for as one text. Chosen: what clients of this interface know. */
    private static final int MOST_WORDS = 9;

    /** The place of more words in the title says nothing. Chosen: what clients of this interface know. */
    private static final int MOST_RANKED = 6;

    private static final int LONGEST = 1600;

    /** No text that is longer is searched for, whatever would be left of it. Chosen: what anybody types, with room for tags. */
    static final int LONGEST_READ = 10_000;

    private static final Pattern EXCLUDES = Pattern.compile("(?:\\s|^)-");
    private static final String BETWEEN = " \t,+\"";
    private static final String SINGLE = "abcdefghijklmnopqrstuvwxyz-";

    /** Words that say nothing in English. */
    private static final Set<String> EMPTY_WORDS = Set.of(
            "about", "an", "are", "as", "at", "be", "by", "com", "for", "from", "how", "in", "is", "it", "of", "on",
            "or", "that", "the", "this", "to", "was", "what", "when", "where", "who", "will", "with", "www");

    /** Where words are looked for. */
    enum Column {
        /** The title. */
        POST_TITLE(Letters.lowerSql("title")),
        /** The excerpt as written. */
        POST_EXCERPT(Letters.lowerSql("excerpt")),
        /** The content as written. */
        POST_CONTENT("content_searched");

        /** The column in small letters. */
        private final String sql;

        Column(String sql) {
            this.sql = sql;
        }
    }

    /** No password guards it. */
    private static final SqlCondition OPEN = new SqlCondition("password = ''");

    record Word(String text, boolean isExcluded) {}

    /**
     * Says whether a text is searched for at all.
     *
     * @param text as it was typed
     * @return false for nothing, and for more than anybody types
     */
    static boolean isSearched(String text) {
        return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }

    /**
     * Takes a search apart.
     *
     * @param text as it was typed, not blank
     * @param columns where to look; all if empty
     * @param isExact whether a word must be all that a column holds
     * @param caller who looks for them
     */
    static Search of(String text, List<Column> columns, boolean isExact, Caller caller) {
        List<Word> words = new ArrayList<>();
        List<String> parts = split(text);
        for (String part : parts) {
            boolean isPhrase = part.length() > 2 && part.startsWith("\"") && part.endsWith("\"");
            String word = ItemDraft.stripped(part, isPhrase ? "\"'" : "\"' ");
            boolean single = word.length() == 1 && SINGLE.indexOf(Letters.lower(word)) >= 0;
            if (!Item.isNothing(word) && !single && !EMPTY_WORDS.contains(Letters.lower(word))) {
                words.add(word(word));
            }
        }
        if (words.isEmpty() || words.size() > MOST_WORDS) {
            words = List.of(word(text));
        }
        List<Column> searched = columns.isEmpty() ? List.of(Column.values()) : columns;
        String phrase = parts.size() > 1 && !EXCLUDES.matcher(text).find() ? text : "";
        return new Search(phrase, words, searched, isExact, caller, false);
    }

    /** Looks in the names of files, too, whatever the columns. */
    Search alsoInFileNames() {
        return new Search(phrase, words, columns, isExact, caller, true);
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
        List<SqlCondition> all =
                new ArrayList<>(words.stream().map(this::condition).toList());
        if (caller.isAnonymous()) {
            all.add(OPEN);
        } else if (!caller.may(Capability.EDIT_OTHERS_POSTS)) {
            all.add(SqlCondition.anyOf(List.of(OPEN, new SqlCondition("author_id = ?", caller.accountId()))));
        }
        return SqlCondition.allOf(all);
    }

    private SqlCondition condition(Word word) {
        List<SqlCondition> places = new ArrayList<>();
        columns.forEach(column -> places.add(like(column, word.text())));
        if (inFileNames) {
            places.add(like(Letters.lowerSql("coalesce(file, '')"), word.text()));
        }
        SqlCondition found = SqlCondition.anyOf(places);
        return word.isExcluded() ? found.negated() : found;
    }

    private SqlCondition like(Column column, String text) {
        return like(column.sql, text);
    }

    private SqlCondition like(String place, String text) {
        return new SqlCondition(place + " like ? escape '!'", pattern(text));
    }

    private String pattern(String text) {
        String escaped = SqlCondition.escape(Letters.lower(text));
        return isExact ? escaped : "%" + escaped + "%";
    }

    /**
     * Tells how well an item fits, the best first: all that was typed in the title, each word in the title, any word in the title,
     * all that was typed in the excerpt or in the content.
     */
    SqlCondition rank() {
        List<SqlCondition> ranks = new ArrayList<>();
        List<SqlCondition> inTitle = words.stream()
                .filter(word -> !word.isExcluded())
                .map(word -> like(Column.POST_TITLE, word.text()))
                .toList();
        if (!inTitle.isEmpty() && inTitle.size() <= MOST_RANKED) {
            ranks.add(SqlCondition.allOf(inTitle));
            ranks.add(SqlCondition.anyOf(inTitle));
        }
        if (!phrase.isEmpty()) {
            ranks.add(0, like(Column.POST_TITLE, phrase));
            ranks.add(like(Column.POST_EXCERPT, phrase));
            ranks.add(like(Column.POST_CONTENT, phrase));
        }
        return SqlCondition.rank(ranks);
    }
}
