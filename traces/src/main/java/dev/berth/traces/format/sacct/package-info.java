/** The accounting of Slurm, as {@code sacct} prints it. */
@NullMarked
package dev.berth.traces.format.sacct;

import org.jspecify.annotations.NullMarked;
