/** Alibaba's GPU cluster trace of 2023. */
@NullMarked
package dev.berth.traces.format.openb;

import org.jspecify.annotations.NullMarked;
