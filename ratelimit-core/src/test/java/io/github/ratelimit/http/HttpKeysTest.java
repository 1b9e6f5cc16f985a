package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpKeysTest {

    private static KeyResolver<HttpCall> parse(String... parts) {
        return HttpKeys.parse(
                List.of(parts), ClientAddress.ofPeer(), name -> name.equals("tenant") ? call -> Key.of("t") : null);
    }

    private final Call call = Call.from("203.0.113.7")
            .with("User-Agent", "agent/1")
            .with("X-Token", "a")
            .with("X-Token", "b")
            .with("X-Blank", "   ")
            .withAttribute("session", "s-1")
            .by("ann");

    @Test
    void namesStandForTheirResolvers() {
        assertThat(parse("client-address").resolve(call)).isEqualTo(Key.of("203.0.113.7"));
        assertThat(parse("user-agent").resolve(call)).isEqualTo(Key.of("agent/1"));
        assertThat(parse("principal").resolve(call)).isEqualTo(Key.of("ann"));
        assertThat(parse("header:x-token").resolve(call)).isEqualTo(Key.of("a,b"));
        assertThat(parse("attribute:session").resolve(call)).isEqualTo(Key.of("s-1"));
        assertThat(parse("tenant").resolve(call)).isEqualTo(Key.of("t"));
        assertThat(parse("client-address", "user-agent").resolve(call))
                .isEqualTo(Key.of("203.0.113.7").and(Key.of("agent/1")));
        assertThat(HttpKeys.clientAddress().resolve(call)).isEqualTo(Key.of("203.0.113.7"));
    }

    @Test
    void whatACallLacksIsAbsent() {
        Call bare = Call.from("203.0.113.7").with("X-Blank", "   ");
        for (String name : List.of("user-agent", "principal", "header:X-Blank", "header:X-None", "attribute:none")) {
            assertThat(parse(name).resolve(bare).isAbsent()).as(name).isTrue();
        }
        assertThat(parse("attribute:none | client-address").resolve(bare))
                .isEqualTo(Key.absent().and(Key.of("203.0.113.7")));
        assertThat(parse("attribute:session | client-address").resolve(call)).isEqualTo(Key.of("s-1"));
        assertThat(parse("attribute:none|principal|user-agent", "client-address")
                        .resolve(call))
                .isEqualTo(Key.absent().and(Key.of("ann")).and(Key.of("203.0.113.7")));
    }

    @Test
    void lengthBuysNoFurtherKey() {
        Key at512 = HttpKeys.userAgent().resolve(Call.from("::1").with("User-Agent", "x".repeat(512)));
        Key at8000 = HttpKeys.userAgent().resolve(Call.from("::1").with("User-Agent", "x".repeat(8000)));
        Key at511 = HttpKeys.userAgent().resolve(Call.from("::1").with("User-Agent", "x".repeat(511)));
        assertThat(at512).isEqualTo(at8000).isNotEqualTo(at511);
    }

    @Test
    void unknownNameIsRejectedAndTheKnownOnesAreListed() {
        for (String name : List.of("adress", "header:", "attribute:", "", "client-address |", "| principal")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> parse(name))
                    .withMessageContaining("no such key resolver: '")
                    .withMessageContaining(
                            "known: client-address, user-agent, principal, header:<Name>, attribute:<name>, everybody, the name of a KeyResolver bean, or on methods #<argument>");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse())
                .withMessage("key must name at least one resolver, for example client-address");
    }

    @Test
    void whatTheApplicationFindsOutIsKnownAfterAuthentication() {
        for (String name : List.of("principal", "attribute:session", "client-address|principal")) {
            assertThat(parse(name).phase()).as(name).isEqualTo(Phase.AFTER_AUTHENTICATION);
        }
        for (String name : List.of("client-address", "user-agent", "header:X-Token", "tenant")) {
            assertThat(parse(name).phase()).as(name).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        }
        assertThat(parse("client-address", "principal").phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        Limit limit = Limit.of(1, Duration.ofMinutes(1));
        assertThat(LimiterSpec.of("posts", limit, HttpKeys.principal()).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LimiterSpec.of(
                                "posts", limit, HttpKeys.principal().orElse(HttpKeys.clientAddress()))
                        .withPhase(Phase.BEFORE_AUTHENTICATION))
                .withMessageStartingWith("limiter 'posts': ")
                .withMessageContaining("known only after authentication");
    }

    @Test
    void keyMayBeMadeOfTheServersOwnRequest() {
        KeyResolver<HttpCall> own = each ->
                each.request(Integer.class).map(Object::toString).map(Key::of).orElse(Key.absent());
        assertThat(own.resolve(Call.from("::1").of(7))).isEqualTo(Key.of("7"));
        assertThat(own.resolve(Call.from("::1").of("something else")).isAbsent())
                .isTrue();
    }
}
