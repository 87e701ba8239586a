/** {@code berth infrastructure}: hosts that fit a workload. */
@NullMarked
package dev.berth.cli.infrastructure;

import org.jspecify.annotations.NullMarked;
