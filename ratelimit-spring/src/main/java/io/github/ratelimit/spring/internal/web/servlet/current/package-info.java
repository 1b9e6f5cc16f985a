/** The request of a thread on Spring MVC: in a package of its own, as limited methods ask for it, and the adapter asks for them. */
@NullMarked
package io.github.ratelimit.spring.internal.web.servlet.current;

import org.jspecify.annotations.NullMarked;
