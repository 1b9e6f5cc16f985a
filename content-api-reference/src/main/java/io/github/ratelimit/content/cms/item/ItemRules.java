package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestError;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;

/** What an item must be like to be stored, whoever writes it. */
final class ItemRules {
    /** A publication this near counts as now. Clients rely on it. */
    private static final Duration NEAR = Duration.ofMinutes(1);

    private static final int LAST_YEAR = 9999;

    private ItemRules() {}

    static void checkNew(ItemType type, ItemInput input) {
        if (input.sticks() && input.guards()) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        checkWords(type, Wording.NONE.with(input));
        checkDate(input);
    }

    static void checkChange(Item current, ItemInput input) {
        if (input.guards() && input.sticks()) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        if (input.guards() && current.isSticky()) {
            throw stickyAndGuarded("A sticky post can not be password protected.");
        }
        if (input.sticks() && current.isGuarded()) {
            throw stickyAndGuarded("A password protected post can not be set to sticky.");
        }
        checkWords(current.type(), Wording.of(current).with(input));
        checkDate(input);
    }

    private static RestError stickyAndGuarded(String message) {
        return RestError.of(400, "rest_invalid_field", message);
    }

    /** Only posts must have a text. */
    private static void checkWords(ItemType type, Wording words) {
        if (type == ItemType.POST
                && Stream.of(words.title(), words.content(), words.excerpt()).allMatch(ItemInput::isNothing)) {
            throw RestError.of(400, "empty_content", "Content, title, and excerpt are empty.");
        }
    }

    private static void checkDate(ItemInput input) {
        input.date().map(date -> date.atOffset(ZoneOffset.UTC).getYear()).ifPresent(year -> {
            if (year < 1 || year > LAST_YEAR) {
                throw RestError.of(400, "invalid_date", "Invalid date.");
            }
        });
    }

    /** Refuses footnotes of another type than text, after the rest was stored. Clients rely on that order. */
    static void checkFootnotes(ItemInput input) {
        if (hasRefusedFootnotes(input)) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            throw RestError.of(400, "rest_invalid_type", "meta.footnotes is not of type string.")
                    .withAdditional(json.arrayNode().add(json.objectNode().put("param", "meta.footnotes")));
        }
    }

    static boolean hasRefusedFootnotes(ItemInput input) {
        return input.footnotes()
                .filter(notes -> !notes.isString() && !notes.isNull())
                .isPresent();
    }

    /** Turns a wished status into the one that the item's type and date allow. */
    static ItemStatus status(ItemType type, ItemStatus wished, Instant published, Instant now) {
        if (type == ItemType.ATTACHMENT) {
            // A file is as public as its owner, unless it is private.
            return wished == ItemStatus.PRIVATE || wished == ItemStatus.TRASH ? wished : ItemStatus.INHERIT;
        }
        return switch (wished) {
            case PUBLISH, FUTURE -> published.isBefore(now.plus(NEAR)) ? ItemStatus.PUBLISH : ItemStatus.FUTURE;
            default -> wished;
        };
    }
}
