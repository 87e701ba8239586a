/** What all parts of a run share: its settings, its future events, and its draws. */
@NullMarked
package dev.berth.simulator.internal;

import org.jspecify.annotations.NullMarked;
