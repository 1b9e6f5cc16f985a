package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.IntNode;

final class ExpectationTest {

    private final Names names = Names.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a': 1, 'b': [true, null]} | {'b': [true, null], 'a': 1.0}",
                "{'a': '{{int}}', 'b': '{{number}}', 'c': '{{digits}}'} | {'a': 7, 'b': 1.5, 'c': '42'}",
                "{'a': '{{date}}', 'b': '{{string}}', 'c': '{{text}}'} | {'a': '2024-01-31T10:00:00', 'b': '', 'c': 'x'}",
                "{'a': '{{any}}', 'b': 'n={{any}}&p'} | {'a': null, 'b': 'n=&p'}",
                "{'a': '{{contains:<i>}}'} | {'a': 'b <i> c'}",
                "{'a': 1, '{{others}}': true} | {'a': 1, 'b': 2}",
                "{'a': 'post-{{int}} (x)'} | {'a': 'post-12 (x)'}",
                "{'s': '{{uploads}}/a-1.jpg', 'f': '{{updir}}/a-1.jpg'} "
                        + "| {'s': 'http://localhost:80/f/2024/01/a-1.jpg', 'f': '2024/01/a-1.jpg'}",
                "{'code': 'c', 'message': 'ours', 'data': {'status': 400, 'params': {'a': 'ours'}, "
                        + "'details': {'a': {'code': 'd', 'message': 'ours', 'data': null}}}} "
                        + "| {'code': 'c', 'message': 'theirs', 'data': {'status': 400, 'params': {'a': 'theirs'}, "
                        + "'details': {'a': {'code': 'd', 'message': 'theirs', 'data': null}}}}",
                "{'headers': {'Allow': 'GET, POST'}} | {'headers': {'Allow': 'POST,GET'}}",
            })
    void fits(String expected, String actual) {
        assertThat(differences(expected, actual, false)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'a': 1} | {'a': 1, 'b': 2} | body.b: unexpected member",
                "{'a': 1, 'b': 2} | {'a': 1} | body.b: expected 2, is missing",
                "{'a': 1} | {'a': '1'} | body.a: expected 1, was",
                "{'a': []} | {'a': {}} | body.a: expected a list",
                "[1, 2] | [1, 3] | body.1: expected 2, was 3",
                "[1] | [1, 2] | body.1: unexpected entry",
                "{'a': '{{int}}'} | {'a': '7'} | body.a: expected {{int}}",
                "{'a': '{{digits}}'} | {'a': 7} | body.a: expected",
                "{'a': '{{text}}'} | {'a': ''} | body.a: expected",
                "{'a': '{{date}}'} | {'a': '2024-01-31T10:00:00Z'} | body.a: expected",
                "{'code': 'c', 'message': 'm'} | {'code': 'c', 'message': ''} | body.message: expected a sentence",
                "{'code': 'c', 'data': {'status': 400, 'params': {'a': 'x'}}} "
                        + "| {'code': 'c', 'data': {'status': 400, 'params': {'b': 'x'}}} | body.data.params: expected",
                "{'code': 'c', 'data': {'status': 400, 'params': ['a']}} "
                        + "| {'code': 'c', 'data': {'status': 400, 'params': ['b']}} | body.data.params.0: expected",
                "{'code': 'c', 'data': {'params': {'a': 'x'}, 'details': {'a': {'code': 'd'}}}} "
                        + "| {'code': 'c', 'data': {'params': {'a': 'x'}, 'details': {'a': {'code': 'e'}}}} "
                        + "| body.data.details.a.code: expected",
            })
    void differs(String expected, String actual, String difference) {
        assertThat(differences(expected, actual, false))
                .hasSize(1)
                .first()
                .asString()
                .startsWith(difference);
    }

    @Test
    void namesStandForNumbersAloneAndForTextWithin() {
        names.bind("posts.alpha", IntNode.valueOf(12));

        assertThat(differences("['{{posts.alpha}}', 'p-{{posts.alpha}}']", "[12, 'p-12']", false))
                .isEmpty();
        assertThat(differences("['{{posts.alpha}}']", "['12']", false)).isNotEmpty();
        assertThat(differences("['p-{{posts.alpha}}']", "['p-13']", false)).isNotEmpty();
    }

    @Test
    void unknownNamesAreNoValues() {
        assertThatThrownBy(() -> differences("['{{posts.zulu}}']", "[1]", false))
                .isInstanceOf(Names.UnknownName.class)
                .hasMessageContaining("posts.zulu");
    }

    @Test
    void namesOfAGroupEndWithIt() {
        Names group = names.inner();
        group.bind("p", IntNode.valueOf(1));

        assertThat(group.text("{{p}}")).isEqualTo("1");
        assertThatThrownBy(() -> names.text("{{p}}")).isInstanceOf(Names.UnknownName.class);
    }

    @Test
    void orderOfTheOutermostListCanBeFree() {
        assertThat(differences("[1, 2, 2]", "[2, 1, 2]", true)).isEmpty();
        assertThat(differences("[1, 2, 2]", "[2, 1, 1]", true))
                .containsExactly("body: expected an entry 2", "body: unexpected entry 1");
    }

    private List<String> differences(String expected, String actual, boolean unordered) {
        return Expectation.compare(
                names, Json.read(expected.replace('\'', '"')), Json.read(actual.replace('\'', '"')), unordered);
    }
}
