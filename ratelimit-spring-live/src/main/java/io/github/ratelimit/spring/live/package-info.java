/**
 * A page that shows limiters at work: remaining permits, rates, rejected clients and the state of the store.
 *
 * <p>{@link LiveRecorder} hears of decisions, {@link LiveFeed} makes one frame of them each second for all who watch, and a controller
 * serves the page and the frames. Nothing in it grows with the number of clients.
 */
@NullMarked
package io.github.ratelimit.spring.live;

import org.jspecify.annotations.NullMarked;
