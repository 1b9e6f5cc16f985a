package io.github.ratelimit.content.cms.rest;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** What a request carries besides arguments: a file as the whole body, or files in the parts of one. */
public interface Payload {
    /** A request without a body. */
    Payload NONE = new Payload() {
        @Override
        public Optional<String> contentType() {
            return Optional.empty();
        }

        @Override
        public InputStream stream() {
            return InputStream.nullInputStream();
        }

        @Override
        public List<FilePart> files() {
            return List.of();
        }
    };

    /** One file of a multipart body. */
    interface FilePart {
        /**
         * Names the field that holds the file.
         *
         * @return as the client named it
         */
        String field();

        /**
         * Names the file.
         *
         * @return as the client named it, not to be trusted as a path
         */
        String fileName();

        /**
         * Tells the type that the client claims.
         *
         * @return empty where it claims none
         */
        Optional<String> contentType();

        /**
         * Opens the file. The caller closes the stream.
         *
         * @return its bytes
         * @throws IOException if they cannot be read
         */
        InputStream open() throws IOException;
    }

    /**
     * Tells the type of the body.
     *
     * @return with its parameters; empty where none was sent
     */
    Optional<String> contentType();

    /**
     * Opens the body. Bodies that hold arguments (JSON, forms, parts) are read already, and empty here.
     *
     * @return its bytes, without any limit
     * @throws IOException if they cannot be read
     */
    InputStream stream() throws IOException;

    /**
     * Lists the files of a multipart body.
     *
     * @return in the order they were sent
     */
    List<FilePart> files();
}
