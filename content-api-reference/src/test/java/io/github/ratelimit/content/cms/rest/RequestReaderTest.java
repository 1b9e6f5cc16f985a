package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

final class RequestReaderTest {
    @ParameterizedTest
    @CsvSource({
        "POST,   /index.php, rest_route=/a,                  , POST",
        "POST,   /index.php, rest_route=/a,            delete, DELETE",
        "POST,   /index.php, rest_route=/a&_method=DELETE,   , DELETE",
        "POST,   /index.php, _method=PUT,              DELETE, PUT",
        "POST,   /index.php, _method=DELETE&_method=PUT,     , PUT",
        "DELETE, /index.php, %5Fmethod=POST,                 , POST",
        "DELETE, /index.php, ,                         POST  , POST",
        "GET,    /index.php, ,                         DELETE, ''",
        "POST,   /index.php, rest_route=/a&rest_route=/b, DELETE, ''",
        "POST,   /index.php, rest_route=/a&rest%5Froute=/b, DELETE, ''",
        "POST,   /index.php, rest_route=/a&rest_route[]=/b, DELETE, ''",
        "POST,   /index.php, rest_route%5Bx%5D=/b&rest_route=%2Fa, DELETE, DELETE",
        "POST,   /api/v1/widget/messages, _method=DELETE, DELETE, POST",
        "DELETE, /v1/cms/documents, id=1,              POST  , DELETE"
    })
    void whatARequestIsServedAsIsToldBeforeItIsRead(
            String method, String path, @Nullable String query, @Nullable String wished, String meant) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(path);
        request.setQueryString(query);
        if (wished != null) {
            request.addHeader("X-HTTP-Method-Override", wished);
        }

        assertThat(RequestReader.meant(request)).isEqualTo(meant);
    }
}
