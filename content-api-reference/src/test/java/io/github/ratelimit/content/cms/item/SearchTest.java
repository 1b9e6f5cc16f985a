package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.text.Letters;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchTest {

    private static final Caller EDITOR = new Caller(1, "editor", Role.EDITOR);
    private static final String TITLE = Letters.lowerSql("title");

    private static Search open(String text) {
        return Search.of(text, List.of(Search.Column.POST_TITLE), false, EDITOR);
    }

    @Test
    void everyWordMustOccurAndExcludedOnesMustNot() {
        Search search = open("red -blue \"two words\"");

        assertThat(search.condition().sql())
                .isEqualTo("(" + TITLE + " like ? escape '!' and not (" + TITLE + " like ? escape '!') and " + TITLE
                        + " like ? escape '!')");
        assertThat(search.condition().values()).containsExactly("%red%", "%blue%", "%two words%");
    }

    @Test
    void patternsAreFoundAsTheyAre() {
        assertThat(open("50%_!").condition().values()).containsExactly("%50!%!_!!%");
    }

    @Test
    void wordsThatSayNothingAreLeftOutUnlessNothingElseIsLeft() {
        assertThat(open("the house of x").condition().values()).containsExactly("%house%");
        assertThat(open("the of").condition().values()).containsExactly("%the of%");
        assertThat(open("a1 b2 c3 d4 e5 f6 g7 h8 i9 j10").condition().values()).hasSize(1);
    }

    @Test
    void exactWordsFillTheColumn() {
        Search search = Search.of("Team", List.of(), true, EDITOR);

        assertThat(search.condition().values()).containsExactly("team", "team", "team");
    }

    @Test
    void guardedTextIsNotSearchedForThoseWhoMayNotReadIt() {
        Search visitors = Search.of("secret", List.of(), false, Caller.anonymous());
        assertThat(visitors.condition().sql()).endsWith("and password = '')");

        Search authors = Search.of("secret", List.of(), false, new Caller(7, "author", Role.AUTHOR));
        assertThat(authors.condition().sql()).endsWith("and (password = '' or author_id = ?))");
        assertThat(authors.condition().values()).endsWith(7L);
    }
}
