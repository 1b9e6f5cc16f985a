package io.github.ratelimit.content.widget.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.widget.api.ApiException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** A body with too many items is left where that is seen. */
class BoundedListTest {
    private final JsonMapper mapper = JsonMapper.builder().build();

    @ParameterizedTest
    @CsvSource({"documents,1000,{}", "documents,10000,{}", "ids,1000,1", "ids,1000,{}", "documents,1000,null"})
    void readingStopsAtTheFirstItemTooMany(String name, int most, String item) {
        Class<?> body = name.equals("ids")
                ? DocumentController.Ids.class
                : most == 1000 ? DocumentController.Batch.class : DocumentController.WholeSet.class;
        InputStream fits = stream(name, item, most);
        InputStream tooMany = stream(name, item, 1_000_000);
        int whole = available(tooMany);

        assertThat(mapper.readValue(fits, body)).isNotNull();
        assertThatThrownBy(() -> mapper.readValue(tooMany, body))
                .hasRootCauseInstanceOf(ApiException.class)
                .rootCause()
                .satisfies(cause -> assertThat(((ApiException) cause).fields())
                        .containsEntry(name, "must have at most " + most + " items"));
        assertThat(available(tooMany)).isGreaterThan(whole - 100_000);
    }

    private static InputStream stream(String name, String item, int count) {
        String body = "{\"" + name + "\":[" + (item + ",").repeat(count - 1) + item + "]}";
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII));
    }

    private static int available(InputStream in) {
        return ((ByteArrayInputStream) in).available();
    }
}
