package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.server.store.ContentGeneration;
import io.github.ratelimit.content.server.store.SqlCondition;
import io.github.ratelimit.content.server.store.Writes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Repository;

/** Where accounts are kept. Safe for concurrent use. */
@Repository
class AccountStore {
    private static final String SELECT = "select " + Account.COLUMNS + " from account a where ";

    private final JdbcClient jdbc;
    private final Writes writes;
    private final ContentGeneration generation;

    AccountStore(JdbcClient jdbc, Writes writes, ContentGeneration generation) {
        this.jdbc = jdbc;
        this.writes = writes;
        this.generation = generation;
    }

    Optional<Account> find(long id) {
        return jdbc.sql(SELECT + "a.id = ?").param(id).query(Account::of).optional();
    }

    /** Finds accounts, and whether each is the author of something published. */
    List<Accounts.Profile> findAll(Collection<Long> ids) {
        return jdbc.sql("select " + Account.COLUMNS + ", case when " + AccountQuery.IS_PUBLIC_AUTHOR
                        + " then true else false end as is_public from account a where a.id = any (?)")
                .param(ids.toArray(Long[]::new))
                .query((row, number) -> new Accounts.Profile(Account.of(row, number), row.getBoolean("is_public")))
                .list();
    }

    /** An account with the hash of its password. */
    record Signed(Account account, String passwordHash) {}

    /** Finds by login name, else by email address, in any letter case. */
    Optional<Signed> signing(String name) {
        return signing("login_key", name).or(() -> signing("email_key", name));
    }

    private Optional<Signed> signing(String column, String name) {
        return jdbc.sql("select " + Account.COLUMNS + ", a.password_hash from account a where a." + column + " = ?")
                .param(key(name))
                .query((row, number) -> new Signed(Account.of(row, number), row.getString("password_hash")))
                .optional();
    }

    Optional<String> passwordHash(long id) {
        return jdbc.sql("select password_hash from account where id = ?")
                .param(id)
                .query(String.class)
                .optional();
    }

    Set<String> takenSlugs(Set<String> slugs) {
        return jdbc.sql("select slug from account where slug in (:slugs)")
                .param("slugs", slugs)
                .query(String.class)
                .set();
    }

    /** Stores an account; a login, email address or slug of another one fails as a duplicate key. */
    void insert(
            String login,
            @Nullable String email,
            String slug,
            Role role,
            String name,
            String passwordHash,
            Instant registered) {
        StatementSpec insert = jdbc.sql(
                        "insert into account (login, login_key, email, email_key, slug, role, display_name, name_order,"
                                + " password_hash, registered_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(login)
                .param(key(login))
                .param(email)
                .param(email == null ? null : key(email))
                .param(slug)
                .param(role.wireName())
                .param(name)
                .param(LetterCase.sorted(name))
                .param(passwordHash)
                .param(registered.atOffset(ZoneOffset.UTC));
        writes.run(() -> {
            generation.raise();
            return insert.update();
        });
    }

    List<Account> list(AccountQuery query) {
        String page = " order by " + query.order().column() + (query.isDescending() ? " desc" : " asc")
                + ", a.id offset ? rows fetch next ? rows only";
        return select(Account.COLUMNS, query, page, query.offset(), query.limit())
                .query(Account::of)
                .list();
    }

    long count(AccountQuery query) {
        return select("count(*)", query, "").query(Long.class).single();
    }

    private StatementSpec select(String columns, AccountQuery query, String rest, Object... values) {
        String where = query.conditions().stream().map(SqlCondition::sql).collect(Collectors.joining(" and "));
        List<Object> all = new ArrayList<>();
        query.conditions().forEach(condition -> all.addAll(condition.values()));
        all.addAll(List.of(values));
        return jdbc.sql("select " + columns + " from account a" + (where.isEmpty() ? "" : " where " + where) + rest)
                .params(all);
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
