/**
 * Accounts as clients of the interface see and change them: {@code /cms/v2/users} and the application passwords below it.
 *
 * <p>Routes beyond the interface's document, which its clients expect.
 */
@NullMarked
package io.github.ratelimit.content.cms.user;

import org.jspecify.annotations.NullMarked;
