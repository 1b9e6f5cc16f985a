/**
 * Who is calling, and what they may do.
 *
 * <p>The only place that reads credentials. A request's caller is found once, by a filter, and everything else asks
 * {@link io.github.ratelimit.content.cms.security.Callers#of Callers.of(request)}. What a caller may do is one table,
 * {@link io.github.ratelimit.content.cms.security.Role}: whatever it does not list is refused. List filters, checks on
 * single items and the links of an answer all ask it, through
 * {@link io.github.ratelimit.content.cms.security.Caller#may Caller.may(capability)} or, where the answer depends on an
 * item, through {@link io.github.ratelimit.content.cms.security.ItemRights}.
 */
@NullMarked
package io.github.ratelimit.content.cms.security;

import org.jspecify.annotations.NullMarked;
