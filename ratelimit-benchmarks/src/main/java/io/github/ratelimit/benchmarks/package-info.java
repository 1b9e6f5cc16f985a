/**
 * What a decision costs, beside the bound that it cannot go below and beside other libraries, in one run.
 *
 * <p>Methods named {@code bound…} do the least that any limiter must do, and decide nothing else. Compare within a run, as ratios.
 */
@NullMarked
package io.github.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
