package io.github.ratelimit.content.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AttacksTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    /** So that a row of the page that has no attack is seen by whoever reads it. */
    @Test
    void thePageTellsWhichAttackStandsForWhichRow() throws IOException {
        var site = new Attacks.Site("", "", "", 1, 2, List.of(3L));
        var attacks = new Attacks(NOWHERE, site);
        var further = new FurtherAttacks(attacks, site, new FurtherAttacks.Further(5, 6, NOWHERE));
        List<String> names = Stream.concat(attacks.all().stream(), further.all().stream())
                .map(Attack::name)
                .toList();

        String page = Files.readString(Path.of("../docs/security.md"));
        String table =
                page.substring(page.indexOf("Which attack stands for which row"), page.indexOf("Not attacked, since"));
        List<String> told = Pattern.compile("`([^`]+)`")
                .matcher(table)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();

        assertThat(names).doesNotHaveDuplicates();
        assertThat(told).containsExactlyInAnyOrderElementsOf(names);
    }
}
