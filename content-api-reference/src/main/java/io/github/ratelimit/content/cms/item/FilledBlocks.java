package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.PublishedItems.Entry;
import io.github.ratelimit.content.cms.item.PublishedItems.Wish;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.term.PublishedTerms;
import io.github.ratelimit.content.cms.term.PublishedTerms.Counted;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.Term;
import io.github.ratelimit.content.cms.text.KnownImages;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.cms.text.Room;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.shared.container.AnswerBudget;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Fills the blocks that are empty until somebody reads a content: {@link BlockTable} says with what.
 *
 * <p>They list what anybody may read, whoever asks, so that an answer does not depend on its reader. Safe for concurrent use.
 */
@Component
public class FilledBlocks {
    /** Chosen: as many as a page of a list has. */
    static final int MOST_ENTRIES = 100;

    /** Chosen: no page lists posts in more ways, and each is looked up. */
    private static final int MOST_WISHES = 10;

    private final Site site;
    private final PublishedItems items;
    private final PublishedTerms terms;
    private final KnownImages images;
    private final AnswerBudget budget;

    FilledBlocks(Site site, PublishedItems items, PublishedTerms terms, KnownImages images, AnswerBudget budget) {
        this.site = site;
        this.items = items;
        this.terms = terms;
        this.images = images;
        this.budget = budget;
    }

    /**
     * Begins to show contents.
     *
     * @param base the site's address
     * @param shown all items whose contents may be shown
     * @return looks up once what several of them show
     */
    public Reading read(String base, Collection<Item> shown) {
        return new Reading(base, shown);
    }

    /** What is shown together. Belongs to one thread. */
    public final class Reading {
        private final String base;
        private final Collection<Item> shown;
        private final Map<Wish, List<Entry>> posts = new HashMap<>();
        private final Map<Taxonomy, List<Counted>> byName = new EnumMap<>(Taxonomy.class);
        private final Map<Taxonomy, List<Counted>> byCount = new EnumMap<>(Taxonomy.class);
        private final Map<Long, Optional<KnownImages.Image>> pictures = new HashMap<>();
        private final Map<Long, Rendering.Summary> summaries = new HashMap<>();
        private final Room room = Room.forBlocks();
        private final Room excerpts = Room.forExcerpts();
        private @Nullable List<Entry> pages;
        private final Map<String, Map<String, Integer>> periods = new HashMap<>();
        private @Nullable List<Instant> moments;
        private @Nullable Map<Long, String> authors;

        private Reading(String base, Collection<Item> shown) {
            this.base = base;
            this.shown = shown;
        }

        /**
         * Shows a content.
         *
         * @param item whose it is
         * @param sorted looks up the terms of the item
         * @return as readers see it
         */
        public String content(Item item, Supplier<List<Term>> sorted) {
            Place place = new Place(item, sorted, this);
            String rendered = item.content().rendered();
            String filled =
                    Rendering.filled(rendered, item.content().raw(), room, block -> BlockTable.show(block, place));
            if (filled.length() > rendered.length()) {
                budget.take(filled.length() - rendered.length());
            }
            return filled;
        }

        /**
         * Renders an excerpt that nobody wrote, of another length or text than the one that is kept.
         *
         * @param content as written
         * @param words how many it has at most
         * @return empty where the answer has had enough rendered: the one that is kept is shown then
         */
        public Optional<String> excerpt(String content, int words) {
            return Rendering.excerpt(content, words, excerpts);
        }

        String base() {
            return base;
        }

        Site site() {
            return site;
        }

        List<Entry> posts(Wish wish) {
            List<Entry> known = posts.get(wish);
            if (known == null) {
                known = posts.size() < MOST_WISHES ? taken(items.posts(wish)) : List.of();
                posts.put(wish, known);
            }
            return known;
        }

        List<Entry> pages() {
            if (pages == null) {
                pages = taken(items.pages(MOST_ENTRIES));
            }
            return pages;
        }

        /** What is listed was read, whether it is shown or not. */
        private List<Entry> taken(List<Entry> listed) {
            room.take(listed.stream().mapToLong(one -> one.title().length()).sum());
            return listed;
        }

        Rendering.Summary summary(Entry entry) {
            return summaries.computeIfAbsent(entry.id(), id -> {
                excerpts.take(entry.excerpt().length());
                return Rendering.summary(entry.excerpt());
            });
        }

        /** Counts posts by when they were published: in that order, the newest first. */
        Map<String, Integer> periods(String format) {
            return periods.computeIfAbsent(format, this::counted);
        }

        private Map<String, Integer> counted(String format) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            LocalDate day = LocalDate.MAX;
            String period = "";
            for (Instant moment : moments()) {
                LocalDate next = LocalDate.ofInstant(moment, site.zone());
                if (!next.equals(day)) {
                    day = next;
                    period = SiteDates.print(moment, site.zone(), format);
                }
                if (counts.size() == MOST_ENTRIES && !counts.containsKey(period)) {
                    break;
                }
                counts.merge(period, 1, Integer::sum);
            }
            return counts;
        }

        private List<Instant> moments() {
            if (moments == null) {
                moments = items.moments();
            }
            return moments;
        }

        List<Counted> byName(Taxonomy taxonomy) {
            return byName.computeIfAbsent(taxonomy, wanted -> terms.byName(wanted, MOST_ENTRIES));
        }

        List<Counted> byCount(Taxonomy taxonomy) {
            return byCount.computeIfAbsent(taxonomy, wanted -> terms.byCount(wanted, MOST_ENTRIES));
        }

        String author(long id) {
            if (authors == null) {
                authors = items.names(shown.stream().map(Item::author).collect(Collectors.toSet()));
            }
            return authors.getOrDefault(id, "");
        }

        /** Finds a picture that stands for an item; nothing for one that belongs to what is not public. */
        Optional<KnownImages.Image> picture(long id) {
            return pictures(Stream.of(id)).getOrDefault(id, Optional.empty());
        }

        /** Finds pictures, and with them those of all that is shown. */
        Map<Long, Optional<KnownImages.Image>> pictures(Stream<Long> ids) {
            Set<Long> unknown = Stream.concat(ids, shown.stream().map(Item::featuredMedia))
                    .filter(id -> id > 0 && !pictures.containsKey(id))
                    .collect(Collectors.toSet());
            if (!unknown.isEmpty()) {
                Map<Long, KnownImages.Image> found = images.find(items.open(unknown));
                unknown.forEach(id -> pictures.put(id, Optional.ofNullable(found.get(id))));
            }
            return pictures;
        }
    }

    /** The content in which a block stands. Belongs to one thread. */
    static final class Place {
        private final Item item;
        private final Supplier<List<Term>> sorted;
        private final Reading reading;
        private @Nullable List<Term> terms;
        private Rendering.@Nullable Summary summary;
        private int forms;

        Place(Item item, Supplier<List<Term>> sorted, Reading reading) {
            this.item = item;
            this.sorted = sorted;
            this.reading = reading;
        }

        Item item() {
            return item;
        }

        List<Term> sorted() {
            if (terms == null) {
                terms = sorted.get();
            }
            return terms;
        }

        Rendering.Summary summary() {
            if (summary == null) {
                summary = Rendering.summary(item.excerpt().rendered());
            }
            return summary;
        }

        Reading reading() {
            return reading;
        }

        /** Tells a form from others of the same content. */
        int nextForm() {
            return ++forms;
        }
    }
}
