package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.http.Part;
import java.io.InputStream;
import java.util.List;

/**
 * The files of a request.
 *
 * @param stream the body, if it is neither JSON nor a form nor multipart; otherwise empty
 * @param files the parts of a multipart body that have a file name
 */
public record Payload(InputStream stream, List<Part> files) {
    static final Payload NONE = new Payload(List.of());

    Payload(List<Part> files) {
        this(InputStream.nullInputStream(), files);
    }
}
