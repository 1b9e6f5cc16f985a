package io.github.ratelimit.content.cms.rest;

import org.jspecify.annotations.Nullable;

/**
 * What became of a request's arguments.
 *
 * @param values those that could be read, and the defaults of the others
 * @param rejection why the request cannot be served, or nothing
 */
record ArgumentReading(ArgumentValues values, @Nullable RestError rejection) {}
