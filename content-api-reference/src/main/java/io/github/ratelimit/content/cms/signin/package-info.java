/**
 * The page where people give an application a password of its own: sign in, see who asks, approve or reject.
 *
 * <p>The only place of the server that knows a session, and the session opens nothing but this page.
 *
 * <p>Rule: BEHAVIOUR section 11.
 */
@NullMarked
package io.github.ratelimit.content.cms.signin;

import org.jspecify.annotations.NullMarked;
