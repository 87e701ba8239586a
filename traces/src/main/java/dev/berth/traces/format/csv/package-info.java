/** Berth's own format of comma-separated values with a header. */
@NullMarked
package dev.berth.traces.format.csv;

import org.jspecify.annotations.NullMarked;
