/** The machine files of the Alea simulator. */
@NullMarked
package dev.berth.traces.format.alea;

import org.jspecify.annotations.NullMarked;
