package io.github.ratelimit.content.widget.api;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Reads no more of a body than its controller allows, and no encoded body: a few bytes of gzip can be gigabytes. */
@ControllerAdvice(annotations = ApiController.class)
final class BoundedBody extends RequestBodyAdviceAdapter {

    @Override
    public boolean supports(
            MethodParameter parameter, Type targetType, Class<? extends HttpMessageConverter<?>> converterType) {
        return AnnotatedElementUtils.hasAnnotation(parameter.getContainingClass(), ApiController.class);
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type targetType,
            Class<? extends HttpMessageConverter<?>> converterType) {
        if (message.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING) != null) {
            throw ApiException.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "The body must not be compressed.");
        }
        var controller =
                AnnotatedElementUtils.findMergedAnnotation(parameter.getContainingClass(), ApiController.class);
        int max = controller == null ? 0 : controller.maxBodyBytes();
        if (message.getHeaders().getContentLength() > max) {
            throw tooLarge(max);
        }
        return new HttpInputMessage() {
            @Override
            public InputStream getBody() throws IOException {
                return new Bounded(message.getBody(), max);
            }

            @Override
            public HttpHeaders getHeaders() {
                return message.getHeaders();
            }
        };
    }

    private static ApiException tooLarge(int max) {
        return ApiException.of(
                HttpStatus.CONTENT_TOO_LARGE, "too_large", "The body must have at most " + max + " bytes.");
    }

    /** A body without a declared length is counted as it comes. */
    private static final class Bounded extends FilterInputStream {

        private final int max;
        private long read;

        Bounded(InputStream body, int max) {
            super(body);
            this.max = max;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            if (next >= 0) {
                count(1);
            }
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int got = super.read(buffer, offset, length);
            if (got > 0) {
                count(got);
            }
            return got;
        }

        private void count(int bytes) {
            read += bytes;
            if (read > max) {
                throw tooLarge(max);
            }
        }
    }
}
