/** Journals as workloads, infrastructures and host events of simulations. */
@Experimental
@NullMarked
package dev.berth.replay;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
