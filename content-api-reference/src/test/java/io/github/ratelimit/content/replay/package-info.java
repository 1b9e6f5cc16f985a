/**
 * Replays recorded requests against a running server and compares the answers with the recorded ones.
 *
 * <p>A directory of recordings holds {@code seed.json}, the content every request assumes, {@code assets/}, the files that
 * are uploaded, and one JSON file per topic. {@link io.github.ratelimit.content.replay.ContentSet} loads the content through
 * the interface, {@link io.github.ratelimit.content.replay.Replayer} sends the requests of a topic, and
 * {@link io.github.ratelimit.content.replay.Expectation} says in which points an answer differs. None of them knows a single
 * recording: any other directory of the same form can be replayed, also by hand with
 * {@link io.github.ratelimit.content.replay.ReplayMain}; the form is described in {@code docs/replay.md} of this module.
 */
@NullMarked
package io.github.ratelimit.content.replay;

import org.jspecify.annotations.NullMarked;
