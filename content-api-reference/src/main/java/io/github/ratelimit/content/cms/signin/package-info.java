/**
 * The authorisation page: an account signs in, sees the application, and approves or rejects it.
 *
 * <p>Only this page has sessions, and a session opens nothing else.
 *
 * <p>Rule: BEHAVIOUR section 11.
 */
@NullMarked
package io.github.ratelimit.content.cms.signin;

import org.jspecify.annotations.NullMarked;
