/** Our own studies of policies that keep objectives. */
@NullMarked
package dev.berth.experiments.studies.slo;

import org.jspecify.annotations.NullMarked;
