package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.security.Caller;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class LookupTest {
    private final List<Long> looked = new ArrayList<>();
    private final Lookup<Long, String> names = Lookup.ofSeveral(this::find);

    /** Knows the even numbers. */
    private Map<Long, String> find(Collection<Long> numbers) {
        looked.addAll(numbers);
        Map<Long, String> found = new HashMap<>();
        numbers.stream().filter(number -> number % 2 == 0).forEach(number -> found.put(number, "number " + number));
        return found;
    }

    private static RestRequest request() {
        return RestRequest.ofServer(RestMethod.GET, "/", Caller.anonymous(), "", JsonNodeFactory.instance.objectNode());
    }

    @Test
    void thingIsLookedForOnceInARequestWhetherItIsThereOrNot() {
        RestRequest request = request();

        assertThat(names.find(request, 2L)).contains("number 2");
        assertThat(names.find(request, 3L)).isEmpty();
        assertThat(names.findAll(request, List.of(2L, 3L, 4L))).isEqualTo(Map.of(2L, "number 2", 4L, "number 4"));
        assertThat(names.find(request, 4L)).contains("number 4");
        assertThat(looked).containsExactly(2L, 3L, 4L);

        names.find(request(), 2L);

        assertThat(looked).containsExactly(2L, 3L, 4L, 2L);
    }

    @Test
    void whatWasFoundOtherwiseIsNotLookedFor() {
        RestRequest request = request();
        names.keep(request, Map.of(9L, "nine"));

        assertThat(names.find(request, 9L)).contains("nine");
        assertThat(looked).isEmpty();
    }

    @Test
    void twoLookUpsDoNotMixWhatTheyFind() {
        RestRequest request = request();
        Lookup<Long, Integer> digits = Lookup.of(number -> Optional.of(number.intValue()));

        assertThat(names.find(request, 2L)).contains("number 2");
        assertThat(digits.find(request, 2L)).contains(2);
    }

    @Test
    void linkedRequestKnowsWhatTheFirstOneFound() {
        RestRequest request = request();
        names.find(request, 2L);

        names.find(request.following("/other", JsonNodeFactory.instance.objectNode()), 2L);

        assertThat(looked).containsExactly(2L);
    }
}
