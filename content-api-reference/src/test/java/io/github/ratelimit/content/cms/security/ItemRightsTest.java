package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule: BEHAVIOUR section 10. Each row: who; read, edit, delete own; read, edit, delete of others; by stage. */
class ItemRightsTest {
    @Test
    void whoMayDoWhatWithPosts() {
        assertThat(table(ItemRights.Capabilities.POST))
                .containsExactly(
                        "anonymous     PUBLIC r--/r-- HELD_BACK ---/--- PRIVATE ---/--- UNFINISHED ---/---",
                        "subscriber    PUBLIC r--/r-- HELD_BACK r--/--- PRIVATE r--/--- UNFINISHED r--/---",
                        "contributor   PUBLIC r--/r-- HELD_BACK r--/--- PRIVATE red/--- UNFINISHED red/---",
                        "author        PUBLIC red/r-- HELD_BACK red/--- PRIVATE red/--- UNFINISHED red/---",
                        "editor        PUBLIC red/red HELD_BACK red/red PRIVATE red/red UNFINISHED red/red",
                        "administrator PUBLIC red/red HELD_BACK red/red PRIVATE red/red UNFINISHED red/red");
    }

    @Test
    void whoMayDoWhatWithPages() {
        assertThat(table(ItemRights.Capabilities.PAGE))
                .containsExactly(
                        "anonymous     PUBLIC r--/r-- HELD_BACK ---/--- PRIVATE ---/--- UNFINISHED ---/---",
                        "subscriber    PUBLIC r--/r-- HELD_BACK r--/--- PRIVATE r--/--- UNFINISHED r--/---",
                        "contributor   PUBLIC r--/r-- HELD_BACK r--/--- PRIVATE r--/--- UNFINISHED r--/---",
                        "author        PUBLIC r--/r-- HELD_BACK r--/--- PRIVATE r--/--- UNFINISHED r--/---",
                        "editor        PUBLIC red/red HELD_BACK red/red PRIVATE red/red UNFINISHED red/red",
                        "administrator PUBLIC red/red HELD_BACK red/red PRIVATE red/red UNFINISHED red/red");
    }

    @Test
    void onlyWhoAnswersForAccountsMayChangeThem() {
        for (Role role : Role.values()) {
            boolean administrator = role == Role.ADMINISTRATOR;
            assertThat(role.may(Capability.CREATE_USERS)).isEqualTo(administrator);
            assertThat(role.may(Capability.DELETE_USERS)).isEqualTo(administrator);
            assertThat(role.may(Capability.PROMOTE_USERS)).isEqualTo(administrator);
            assertThat(role.may(Capability.MANAGE_SITE)).isEqualTo(administrator);
        }
        assertThat(Role.AUTHOR.may(Capability.UNFILTERED_HTML)).isFalse();
        assertThat(Role.CONTRIBUTOR.may(Capability.UPLOAD_FILES)).isFalse();
        assertThat(Role.CONTRIBUTOR.may(Capability.PUBLISH_POSTS)).isFalse();
        assertThat(Role.EDITOR.may(Capability.UNFILTERED_HTML)).isTrue();
    }

    @Test
    void anonymousCallersOwnNothing() {
        assertThat(Caller.anonymous().is(0)).isFalse();
        for (Capability capability : Capability.values()) {
            assertThat(Caller.anonymous().may(capability)).isFalse();
        }
    }

    private static List<String> table(ItemRights.Capabilities needed) {
        List<String> rows = new ArrayList<>();
        rows.add(row("anonymous", Caller.anonymous(), needed));
        for (Role role : Role.values()) {
            rows.add(row(role.wireName(), new Caller(1, "somebody", role), needed));
        }
        return rows;
    }

    private static String row(String name, Caller caller, ItemRights.Capabilities needed) {
        StringBuilder row = new StringBuilder(String.format("%-13s", name));
        for (ItemRights.Stage stage : ItemRights.Stage.values()) {
            row.append(' ').append(stage).append(' ');
            row.append(cell(ItemRights.of(caller, needed, caller.isAnonymous() ? 0 : 1, stage)));
            row.append('/').append(cell(ItemRights.of(caller, needed, 2, stage)));
        }
        return row.toString();
    }

    private static String cell(ItemRights rights) {
        return (rights.mayRead() ? "r" : "-") + (rights.mayEdit() ? "e" : "-") + (rights.mayDelete() ? "d" : "-");
    }
}
