/**
 * A page that shows limiters at work: what is left, how much is asked for and refused, whom they refuse, and whether the store answers.
 *
 * <p>{@link LiveRecorder} hears of decisions, {@link LiveFeed} makes one frame of them each second for all who watch, and a controller
 * serves the page and the frames. Nothing in it grows with the number of clients.
 */
@NullMarked
package io.github.ratelimit.spring.live;

import org.jspecify.annotations.NullMarked;
