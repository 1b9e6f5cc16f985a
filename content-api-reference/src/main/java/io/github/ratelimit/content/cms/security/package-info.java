/**
 * Callers and their permissions.
 *
 * <p>Only this package reads credentials. A filter finds the caller of each request;
 * {@link io.github.ratelimit.content.cms.security.Caller#of Caller.of(request)} returns it. The table
 * {@link io.github.ratelimit.content.cms.security.Capability} lists all permissions; the rest is rejected. List filters, checks of
 * single items and links ask {@link io.github.ratelimit.content.cms.security.Caller#may Caller.may(capability)}, or
 * {@link io.github.ratelimit.content.cms.security.ItemRights} if the answer depends on an item.
 */
@NullMarked
package io.github.ratelimit.content.cms.security;

import org.jspecify.annotations.NullMarked;
