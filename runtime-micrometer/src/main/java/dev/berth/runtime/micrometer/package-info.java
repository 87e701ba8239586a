/** The figures of a scheduler loop as metrics of Micrometer. */
@Experimental
@NullMarked
package dev.berth.runtime.micrometer;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
