package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.shared.storage.Columns;
import io.github.ratelimit.content.shared.storage.ContentGeneration;
import io.github.ratelimit.content.shared.storage.DeclaredMembers;
import io.github.ratelimit.content.shared.storage.Row;
import io.github.ratelimit.content.shared.storage.SqlCondition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/** Where accounts are kept. Safe for concurrent use. */
@Repository
class AccountStore {

    private final JdbcClient jdbc;
    private final ContentGeneration generation;
    private final Columns columns;
    private final String selected;

    AccountStore(JdbcClient jdbc, ContentGeneration generation, AccountMembers members) {
        this.jdbc = jdbc;
        this.generation = generation;
        columns = Columns.of(Stream.concat(Account.READ.stream(), members.stored().values().stream())
                .toList());
        selected = columns.names("a.");
        DeclaredMembers.require(jdbc, "account", Account.OWN, members.stored());
    }

    /** Lists what {@link #account} reads, of an account that is called {@code a}: the first columns of a statement. */
    String selected() {
        return selected;
    }

    Optional<Account> find(long id) {
        return jdbc.sql("select " + selected + " from account a where a.id = :id")
                .param("id", id)
                .query(this::account)
                .optional();
    }

    /** Finds an account to be changed: whoever else wants to change it waits until the transaction ends. */
    Optional<Account> findForChange(long id) {
        return jdbc.sql("select " + selected + " from account a where a.id = :id for update")
                .param("id", id)
                .query(this::account)
                .optional();
    }

    List<Account> findAll(Collection<Long> ids) {
        return jdbc.sql("select " + selected + " from account a where a.id = any (:ids)")
                .param("ids", ids.toArray(Long[]::new))
                .query(this::account)
                .list();
    }

    /** Finds accounts, and whether each fulfils a condition of {@link AuthoredContent}. */
    List<Accounts.Seen> findAll(Collection<Long> ids, String condition) {
        return jdbc.sql("select " + selected + ", case when " + condition
                        + " then true else false end as is_public from account a where a.id = any (:ids)")
                .param("ids", ids.toArray(Long[]::new))
                .query((row, number) -> new Accounts.Seen(account(row, number), row.getBoolean("is_public")))
                .list();
    }

    /** Finds by login name, else by mail address, in any case: each has an index, and one look for both would have none. */
    Optional<Signed> signing(String name) {
        return signing("login_key", name).or(() -> signing("email_key", name));
    }

    private Optional<Signed> signing(String column, String name) {
        return jdbc.sql("select " + selected + ", a.password_hash from account a where a." + column + " = :name")
                .param("name", key(name))
                .query((row, number) -> new Signed(account(row, number), row.getString("password_hash")))
                .optional();
    }

    /** An account with the hash of its password. */
    record Signed(Account account, String passwordHash) {}

    Optional<String> passwordHash(long id) {
        return jdbc.sql("select password_hash from account where id = :id")
                .param("id", id)
                .query(String.class)
                .optional();
    }

    boolean hasLogin(String login) {
        return exists("login_key", key(login));
    }

    boolean hasEmail(String email) {
        return exists("email_key", key(email));
    }

    boolean hasSlug(String slug) {
        return exists("slug", slug);
    }

    Set<String> takenSlugs(Set<String> slugs) {
        return jdbc.sql("select slug from account where slug in (:slugs)")
                .param("slugs", slugs)
                .query(String.class)
                .set();
    }

    private boolean exists(String column, String value) {
        return jdbc.sql("select count(*) from account where " + column + " = :value")
                        .param("value", value)
                        .query(Long.class)
                        .single()
                > 0;
    }

    Account insert(String login, String passwordHash, Instant registered, AccountChanges made) {
        Row row = made.of(columns.empty()).with(Account.LOGIN, login).with(Account.REGISTERED_AT, registered);
        Map<String, @Nullable Object> values = values(made);
        values.put("login", login);
        values.put("login_key", key(login));
        values.put("password_hash", passwordHash);
        values.put("registered_at", Account.REGISTERED_AT.bound(registered));
        KeyHolder key = new GeneratedKeyHolder();
        generation.raise();
        jdbc.sql("insert into account (" + String.join(", ", values.keySet()) + ") values (:"
                        + String.join(", :", values.keySet()) + ")")
                .params(values)
                .update(key, "id");
        long id = Objects.requireNonNull(key.getKey()).longValue();
        return new Account(row.with(Account.ID, id));
    }

    /** Writes what is to be different, and nothing else: of two writers of different columns, none loses. */
    void update(long id, AccountChanges changes) {
        Map<String, @Nullable Object> values = values(changes);
        if (values.isEmpty()) {
            return;
        }
        String assignments =
                values.keySet().stream().map(column -> column + " = :" + column).collect(Collectors.joining(", "));
        generation.raise();
        jdbc.sql("update account set " + assignments + " where id = :id")
                .params(values)
                .param("id", id)
                .update();
    }

    void setPasswordHash(long id, String hash) {
        jdbc.sql("update account set password_hash = :hash where id = :id")
                .param("hash", hash)
                .param("id", id)
                .update();
    }

    boolean hold(long id) {
        return jdbc.sql("select id from account where id = :id for update")
                .param("id", id)
                .query(Long.class)
                .optional()
                .isPresent();
    }

    boolean delete(long id) {
        generation.raise();
        return jdbc.sql("delete from account where id = :id").param("id", id).update() > 0;
    }

    List<Account> list(AccountQuery query) {
        String page = " order by " + query.order().column() + (query.descending() ? " desc" : " asc")
                + ", a.id offset ? rows fetch next ? rows only";
        return select(selected, query.conditions(), page, query.offset(), query.limit())
                .query(this::account)
                .list();
    }

    long count(AccountQuery query) {
        return select("count(*)", query.conditions(), "").query(Long.class).single();
    }

    private StatementSpec select(String what, List<SqlCondition> conditions, String rest, Object... values) {
        String where = conditions.stream().map(SqlCondition::sql).collect(Collectors.joining(" and "));
        List<Object> all = new ArrayList<>();
        conditions.forEach(condition -> all.addAll(condition.values()));
        all.addAll(List.of(values));
        return jdbc.sql("select " + what + " from account a" + (where.isEmpty() ? "" : " where " + where) + rest)
                .params(all);
    }

    private static Map<String, @Nullable Object> values(AccountChanges changes) {
        Map<String, @Nullable Object> values = changes.bound();
        changes.get(Account.EMAIL).ifPresent(email -> values.put("email_key", key(email)));
        changes.get(Account.DISPLAY_NAME).ifPresent(name -> values.put("name_order", LetterCase.sorted(name)));
        changes.get(Account.URL).ifPresent(url -> values.put("url_order", LetterCase.sorted(url)));
        return values;
    }

    Account account(ResultSet row, int number) throws SQLException {
        return new Account(columns.read(row));
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
