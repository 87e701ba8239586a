/** The formats that Berth brings along, each in a package of its own. */
@NullMarked
package dev.berth.traces.format;

import org.jspecify.annotations.NullMarked;
