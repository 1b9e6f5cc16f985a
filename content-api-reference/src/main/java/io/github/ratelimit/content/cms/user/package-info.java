/**
 * Accounts in the interface: {@code /cms/v2/users} reads them, and the routes below it manage application passwords.
 *
 * <p>The interface's document does not list these routes; its clients expect them.
 */
@NullMarked
package io.github.ratelimit.content.cms.user;

import org.jspecify.annotations.NullMarked;
