package io.github.ratelimit.content.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** Fills a database by itself, as requests would take too long: what is in it looks like a site that grew for years. */
public final class ManyItems {

    private static final int AT_ONCE = 5_000;

    private static final OffsetDateTime FIRST = OffsetDateTime.of(2015, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final int MINUTES = 5_000_000;

    private final JdbcOperations jdbc;
    private final Random random = new Random(1);
    private final int paragraphs;

    /**
     * Prepares to fill a database.
     *
     * @param paragraphs how many sentences a content has
     */
    public ManyItems(JdbcOperations jdbc, int paragraphs) {
        this.jdbc = jdbc;
        this.paragraphs = paragraphs;
    }

    /** Adds accounts, terms, pictures, pages and posts; every fifth page and every picture's post is one of these. */
    public void fill(int accounts, int terms, int pictures, int pages, int posts) {
        insert(
                "insert into account (login, login_key, email, email_key, slug, role, display_name, name_order,"
                        + " password_hash, registered_at) values (?, ?, ?, ?, ?, ?, ?, ?, '', ?)",
                accounts,
                i -> {
                    String login = "writer" + i;
                    String email = login + "@example.org";
                    String role = i % 3 == 0 ? "author" : "subscriber";
                    return new Object[] {
                        login, login, email, email, login, role, "Writer " + i, bytes("writer " + i), moment()
                    };
                });
        insert("insert into term (taxonomy, slug, name, name_order) values (?, ?, ?, ?)", terms, i -> {
            String taxonomy = i % 2 == 0 ? "category" : "post_tag";
            return new Object[] {taxonomy, "term-" + i, "Term " + i, bytes("term " + i)};
        });
        List<Long> writers = jdbc.queryForList("select id from account order by id", Long.class);
        List<Long> sorts = jdbc.queryForList("select id from term order by id", Long.class);
        // Indexes that are built at the end are built in their order.
        Map<String, String> indexes = indexes("item");
        indexes.keySet().forEach(index -> jdbc.execute("drop index " + index));
        items("attachment", pictures, writers, 0);
        List<Long> files = ids("attachment");
        items("page", pages, writers, 0);
        items("post", posts, writers, files.isEmpty() ? 0 : files.get(0));
        indexes.values().forEach(jdbc::execute);
        List<Long> written = ids("post");
        List<Object[]> sorted = new ArrayList<>();
        written.forEach(id -> {
            sorted.add(new Object[] {id, 1L, id});
            sorted.add(new Object[] {id, sorts.get(1 + random.nextInt(sorts.size() - 1)), id});
        });
        insert(
                "insert into item_term (item_id, term_id, published)"
                        + " values (?, ?, (select status = 'publish' from item where id = ?))",
                sorted.size(),
                sorted::get);
    }

    /** Finds the statements of the migrations that make the indexes of some tables, by the name of the index: of those that are there in the end. */
    public static Map<String, String> indexes(String... tables) {
        Pattern index =
                Pattern.compile("create index (\\w+) on (?:" + String.join("|", tables) + ") [^;]*|drop index (\\w+)");
        Map<String, String> statements = new TreeMap<>();
        try {
            Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath:db/migration/*.sql");
            Arrays.sort(files, Comparator.comparingInt(ManyItems::version));
            for (Resource file : files) {
                Matcher statement = index.matcher(file.getContentAsString(StandardCharsets.UTF_8));
                while (statement.find()) {
                    if (statement.group(1) == null) {
                        statements.remove(statement.group(2));
                    } else {
                        statements.put(statement.group(1), statement.group());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return statements;
    }

    private static int version(Resource migration) {
        String name = requireNonNull(migration.getFilename());
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }

    private List<Long> ids(String kind) {
        return jdbc.queryForList("select id from item where kind = ? order by id", Long.class, kind);
    }

    private void items(String kind, int count, List<Long> writers, long picture) {
        String text = "<p>" + "Some words that fill a post. ".repeat(paragraphs) + "</p>";
        boolean isFile = kind.equals("attachment");
        insert(
                "insert into item (kind, status, author_id, slug, slug_scope, slug_order, title_order, published_at,"
                        + " modified_at, format, sticky, featured_media, menu_order, mime_type, file) values"
                        + " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                count,
                i -> {
                    String slug = kind + "-many-" + i;
                    String title = "Title " + random.nextInt(1_000_000);
                    String status = isFile ? "inherit" : i % 20 == 0 ? "draft" : i % 33 == 0 ? "private" : "publish";
                    OffsetDateTime published = moment();
                    return new Object[] {
                        kind,
                        status,
                        writers.get(random.nextInt(writers.size())),
                        slug,
                        kind.equals("page") ? "page:0" : kind,
                        bytes(slug),
                        bytes(title.toLowerCase(Locale.ROOT)),
                        published,
                        published.plusMinutes(random.nextInt(100_000)),
                        i % 50 == 7 ? "aside" : "standard",
                        !isFile && i % 1_000 == 3,
                        picture == 0 ? 0 : picture + random.nextInt(50),
                        (long) (i % 10),
                        isFile ? i % 4 == 0 ? "application/pdf" : "image/png" : "",
                        isFile ? "2015/01/" + slug + ".png" : null
                    };
                });
        List<Long> ids = ids(kind);
        insert(
                "insert into item_text (item_id, title, title_rendered, content, content_rendered, excerpt_rendered)"
                        + " values (?, ?, ?, ?, ?, ?)",
                ids.size(),
                i -> {
                    String title = "Title " + i;
                    return new Object[] {
                        ids.get(i), title, title, text + mark(i), text + mark(i), "<p>Some words.</p>\n"
                    };
                });
    }

    /** A word that one of a thousand has, and others that begin like it. */
    private static String mark(int number) {
        return "\n<p>Mark" + number % 1_000 + "</p>";
    }

    private OffsetDateTime moment() {
        return FIRST.plusMinutes(random.nextInt(MINUTES));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Row {
        Object[] at(int number);
    }

    /** Many rows are one transaction: each by itself would be written to the disk by itself. */
    private void insert(String sql, int count, Row row) {
        jdbc.execute((ConnectionCallback<Boolean>) connection -> {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < count; i++) {
                    Object[] values = row.at(i);
                    for (int place = 0; place < values.length; place++) {
                        statement.setObject(place + 1, values[place]);
                    }
                    statement.addBatch();
                    if ((i + 1) % AT_ONCE == 0 || i + 1 == count) {
                        statement.executeBatch();
                        connection.commit();
                    }
                }
            } finally {
                connection.setAutoCommit(true);
            }
            return true;
        });
    }
}
