/** Our study of a policy that preempts only where the gain pays for the restart. */
@NullMarked
package dev.berth.experiments.studies.slo;

import org.jspecify.annotations.NullMarked;
