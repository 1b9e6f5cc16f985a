package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.ItemRights;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who may read what, as a condition of a query: what {@link ItemFinder#mayRead} says of one item after the other.
 *
 * <p>It comes from the same table of rights. Whoever wrote an item may read it; of what others wrote the status decides.
 * Where the table looks at more than the status, the condition is the stricter one.
 */
final class ReadingRule {
    /** Nobody's id. */
    private static final long NOBODY = -1;

    /** What files belong to. */
    private static final List<ItemType> OWNERS = ItemType.written();

    private final Caller caller;

    ReadingRule(Caller caller) {
        this.caller = caller;
    }

    /**
     * Says what an item must be like so that the caller may read it, whatever it belongs to.
     *
     * @param needed the capabilities that the items ask for
     * @param asked what status they can have
     * @return empty where the caller may read all of them
     */
    Optional<SqlCondition> ofItems(ItemRights.Capabilities needed, Collection<ItemStatus> asked) {
        List<String> open = names(asked.stream().filter(status -> !isHidden(needed, status)));
        SqlCondition own = new SqlCondition("author_id = ?", owner(caller));
        return open.size() == asked.size()
                ? Optional.empty()
                : Optional.of(
                        open.isEmpty()
                                ? own
                                : SqlCondition.anyOf(List.of(SqlCondition.isOneOfTexts("status", open), own)));
    }

    /**
     * Says what a file must be like so that the caller may read what it belongs to.
     *
     * @return empty where the caller may read all of them
     */
    Optional<SqlCondition> ofFiles() {
        List<SqlCondition> owners = new ArrayList<>();
        for (ItemType type : OWNERS) {
            List<String> hidden =
                    names(Arrays.stream(ItemStatus.values()).filter(status -> isHidden(type.capabilities(), status)));
            if (!hidden.isEmpty()) {
                owners.add(new SqlCondition(
                        "(owner.kind = ? and owner.status = any (?) and owner.author_id <> ?)",
                        type.wireName(),
                        hidden.toArray(String[]::new),
                        owner(caller)));
            }
        }
        if (owners.isEmpty()) {
            return Optional.empty();
        }
        SqlCondition hidden = SqlCondition.anyOf(owners);
        return Optional.of(new SqlCondition(
                "(parent_id = 0 or not exists (select 1 from item owner where owner.id = item.parent_id and "
                        + hidden.sql() + "))",
                hidden.values()));
    }

    private boolean isHidden(ItemRights.Capabilities needed, ItemStatus status) {
        return stages(status).stream()
                .anyMatch(stage -> !ItemRights.of(caller, needed, NOBODY, stage).mayRead());
    }

    /** What was thrown away is read by what it was. */
    private static Set<ItemRights.Stage> stages(ItemStatus status) {
        return status == ItemStatus.TRASH
                ? Set.of(ItemRights.Stage.HELD_BACK, ItemRights.Stage.UNFINISHED)
                : Set.of(Item.stage(status, Optional.empty()));
    }

    /** Names the account that a caller owns items as; an anonymous one owns nothing. */
    static long owner(Caller caller) {
        return caller.isAnonymous() ? NOBODY : caller.accountId();
    }

    private static List<String> names(Stream<ItemStatus> statuses) {
        return statuses.map(ItemStatus::wireName).toList();
    }
}
