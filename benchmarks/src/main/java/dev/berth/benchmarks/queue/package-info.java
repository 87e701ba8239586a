/** Whole logs of batch queues and task traces, measured under each queue discipline. */
@NullMarked
package dev.berth.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
