package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.shared.container.UnavailableException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.apache.tomcat.util.http.fileupload.MultipartStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

final class RequestReaderTest {
    /** The disk is full, the folder is gone: the same body may be taken another time, and somebody has to look. */
    @Test
    void partsThatCannotBeStoredAreNoMistakeOfTheClient() {
        IOException full = new IOException("No space left on device");

        assertThatThrownBy(() -> read(new IOException("the folder is no folder")))
                .isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> read(new FileUploadException("Processing failed", full)))
                .isInstanceOf(UncheckedIOException.class)
                .hasCause(full);
    }

    @Test
    void partsThatCannotBeReadAreOne() {
        for (IOException mistake : List.of(
                new MultipartStream.MalformedStreamException("Stream ended unexpectedly"),
                new FileUploadException("no multipart boundary was found"),
                new ClientAbortException(new IOException("Connection reset by peer")))) {
            assertThatThrownBy(() -> read(mistake))
                    .isInstanceOfSatisfying(
                            RestError.class, told -> assertThat(told.code()).isEqualTo("rest_invalid_multipart"));
        }
    }

    @Test
    void partsThatNobodyWaitsForAnyMoreAreToldAsThat() {
        assertThatThrownBy(() -> read(UnavailableException.busy("Too many."))).isInstanceOf(UnavailableException.class);
    }

    private static void read(Exception failure) {
        RequestReader.parts(
                new MockHttpServletRequest() {
                    @Override
                    public Collection<Part> getParts() throws IOException {
                        if (failure instanceof IOException unread) {
                            throw unread;
                        }
                        throw (RuntimeException) failure;
                    }
                },
                UncheckedIOException::new);
    }

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
