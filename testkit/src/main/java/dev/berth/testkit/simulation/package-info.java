/** Simulated runs that check a policy as a whole: bags of tasks on hosts of an unreliable pool. */
@NullMarked
package dev.berth.testkit.simulation;

import org.jspecify.annotations.NullMarked;
