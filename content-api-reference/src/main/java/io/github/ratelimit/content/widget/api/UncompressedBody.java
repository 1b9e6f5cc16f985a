package io.github.ratelimit.content.widget.api;

import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Rejects compressed bodies. */
@ControllerAdvice(annotations = ApiController.class)
final class UncompressedBody extends RequestBodyAdviceAdapter {

    @Override
    public boolean supports(
            MethodParameter parameter, Type targetType, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
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
        return message;
    }
}
