/** {@code berth workload}: describes, samples, generates and converts workloads. */
@NullMarked
package dev.berth.cli.workload;

import org.jspecify.annotations.NullMarked;
