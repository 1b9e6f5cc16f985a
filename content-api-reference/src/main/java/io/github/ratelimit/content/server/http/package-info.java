/** The HTTP server: bounds of requests and their bodies, and errors in JSON in place of Tomcat's pages. */
@NullMarked
package io.github.ratelimit.content.server.http;

import org.jspecify.annotations.NullMarked;
