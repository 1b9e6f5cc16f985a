package io.github.ratelimit.content.shared.storage;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Parts of the database: notes which of them an answer is made of, and tells which ones were changed.
 *
 * <p>Every statement touches the tables that its text names, so nothing is forgotten by whoever writes a new one. Who knows better declares it with
 * {@link #only}: some rows, or what a list is made of. A change that nobody declared meets all who read anything of its tables, declared or not.
 * Safe for concurrent use; what is noted belongs to a thread.
 */
@Component
public final class Parts {
    /** What is changed where nobody knows what is. */
    public static final String ANY = "content";

    /** Stands for all that is declared of a table, for changes that are not. */
    private static final String DECLARED = " *";

    /** A name that may be one of a table: behind a comma it is perhaps a column, which is no harm. */
    private static final Pattern NAME = Pattern.compile("(?:\\b(?:from|join|into|update)\\b|,)[\\s(]*([a-z_0-9]+)");

    private static final Pattern FIRST = Pattern.compile("\\b(?:from|join|into|update)\\b");

    private static final Pattern WRITTEN =
            Pattern.compile("\\s*(?:insert\\s+into|update|delete\\s+from)\\s+([a-z_0-9]+)\\b.*", Pattern.DOTALL);

    /** Chosen: more than there are statements, but for those that are put together of many conditions. */
    private static final int MOST_TEXTS = 1_000;

    private final ObjectProvider<ChangeListener> listeners;
    private final Cache<String, Tables> tables =
            Caffeine.newBuilder().maximumSize(MOST_TEXTS).build();
    private final TransactionNotes<String> written = new TransactionNotes<>(this::announce, this::tell);
    private final ThreadLocal<Notes> notes = ThreadLocal.withInitial(Notes::new);

    Parts(ObjectProvider<ChangeListener> listeners) {
        this.listeners = listeners;
    }

    /**
     * What a text names.
     *
     * @param read and a few words more that name no table
     * @param written one of them, where the text says which
     */
    private record Tables(Set<String> read, Set<String> written) {
        static final Tables UNKNOWN = new Tables(Set.of(), Set.of());

        static Tables of(String sql) {
            String text = sql.toLowerCase(Locale.ROOT);
            Matcher first = FIRST.matcher(text);
            Set<String> all = first.find()
                    ? NAME.matcher(text.substring(first.start()))
                            .results()
                            .map(found -> found.group(1))
                            .collect(Collectors.toUnmodifiableSet())
                    : Set.of();
            Matcher written = WRITTEN.matcher(text);
            return new Tables(all, written.matches() ? Set.of(written.group(1)) : all);
        }
    }

    /** What a thread is doing. */
    private static final class Notes {
        private @Nullable Reading reading;
        private @Nullable Collection<String> declared;
        private boolean isAnnounced;
    }

    /**
     * Names some of a table.
     *
     * @param table or what of it is meant, as {@code item by}
     * @param id of a row, or of what rows are found by
     * @return the part
     */
    public static String of(String table, long id) {
        return table + " " + id;
    }

    /**
     * Names rows of a table.
     *
     * @param table its name
     * @param ids of rows that are there, or are not
     * @return the parts
     */
    public static List<String> of(String table, Collection<Long> ids) {
        return ids.stream().map(id -> of(table, id)).toList();
    }

    /** What is read until it is closed, by this thread. */
    public final class Reading implements AutoCloseable {
        private final @Nullable Reading outer;
        private final Set<String> parts = new HashSet<>();
        private boolean isKnown = true;

        private Reading(@Nullable Reading outer) {
            this.outer = outer;
        }

        /**
         * Tells what was read so far.
         *
         * @return empty where that is not known
         */
        public Optional<Set<String>> parts() {
            return isKnown ? Optional.of(Set.copyOf(parts)) : Optional.empty();
        }

        /** Ends it. Whoever began to note before this one has read the same. */
        @Override
        public void close() {
            if (outer == null) {
                notes.remove();
                return;
            }
            notes.get().reading = outer;
            outer.parts.addAll(parts);
            outer.isKnown &= isKnown;
        }
    }

    /**
     * Begins to note what this thread reads.
     *
     * @return to be closed by this thread
     */
    public Reading begin() {
        Notes mine = notes.get();
        Reading begun = new Reading(mine.reading);
        mine.reading = begun;
        return begun;
    }

    /**
     * Notes that parts are read, beside what statements touch.
     *
     * @param parts of {@link #of}, or tables
     */
    public void read(Collection<String> parts) {
        Reading reading = notes.get().reading;
        if (reading != null) {
            reading.parts.addAll(parts);
        }
    }

    /** Notes that something is read of which nobody knows what it is made of. */
    public void readUnknown() {
        Reading reading = notes.get().reading;
        if (reading != null) {
            reading.isKnown = false;
        }
    }

    /**
     * Declares all that statements touch, whether they read or write.
     *
     * @param parts of {@link #of}, or tables; none where they are told afterwards, or matter to nobody who declares
     * @param work runs the statements; within another declaration it touches the parts of both
     * @return what the work gives
     * @param <T> what the work gives
     */
    public <T> T only(Collection<String> parts, Supplier<T> work) {
        Notes mine = notes.get();
        Collection<String> before = mine.declared;
        if (before == null || before.isEmpty()) {
            mine.declared = parts;
        } else {
            Set<String> both = new HashSet<>(before);
            both.addAll(parts);
            mine.declared = both;
        }
        read(parts);
        try {
            return work.get();
        } finally {
            mine.declared = before;
        }
    }

    /**
     * Tells that parts are changed: listeners learn of it once others see the change, and not if it is rolled back.
     *
     * @param parts of {@link #of}, or tables
     */
    public void changed(Collection<String> parts) {
        changed(parts, true);
    }

    private void changed(Collection<String> parts, boolean isRun) {
        Set<String> all = Set.copyOf(parts);
        if (written.add(all)) {
            return;
        }
        tell(all);
        if (isRun) {
            announce(all);
        }
    }

    private void announce(Set<String> parts) {
        Set<String> all = Set.copyOf(parts);
        listeners.forEach(listener -> listener.committing(all));
    }

    private void tell(Set<String> parts) {
        listeners.forEach(listener -> listener.changed(parts));
    }

    /** Notes what a statement reads that is about to be run. */
    void reads(@Nullable String sql) {
        Notes mine = notes.get();
        mine.isAnnounced = true;
        if (mine.reading == null) {
            return;
        }
        Set<String> named = tables(sql).read();
        if (named.isEmpty()) {
            readUnknown();
        } else if (mine.declared == null) {
            read(named);
        } else {
            read(named.stream().map(table -> table + DECLARED).toList());
        }
    }

    /** Runs a statement that writes. */
    <T> T writes(@Nullable String sql, Supplier<T> statement) {
        Notes mine = notes.get();
        mine.isAnnounced = true;
        Set<String> named = tables(sql).written();
        Set<String> touched = new HashSet<>(named);
        if (named.isEmpty()) {
            touched.add(ANY);
        } else if (mine.declared == null) {
            named.forEach(table -> touched.add(table + DECLARED));
        } else {
            touched.addAll(mine.declared);
        }
        boolean isRun = false;
        try {
            T done = statement.get();
            isRun = true;
            return done;
        } finally {
            // Nobody knows of one that failed what it did. It is not announced: what would be written for that might
            // fail
            // again.
            changed(touched, isRun);
        }
    }

    /** Notes that a statement is run, whether it was announced or came another way. */
    void runs() {
        Notes mine = notes.get();
        if (!mine.isAnnounced) {
            readUnknown();
            changed(Set.of(ANY));
        }
        mine.isAnnounced = false;
    }

    private Tables tables(@Nullable String sql) {
        return sql == null ? Tables.UNKNOWN : tables.get(sql, Tables::of);
    }
}
