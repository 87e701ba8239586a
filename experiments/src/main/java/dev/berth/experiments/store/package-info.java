/** What is kept of runs: cells under their digests, and the life of each request. */
@NullMarked
package dev.berth.experiments.store;

import org.jspecify.annotations.NullMarked;
