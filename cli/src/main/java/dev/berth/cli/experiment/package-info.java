/** {@code berth experiment}: policies over workloads, hosts, scales and seeds. */
@NullMarked
package dev.berth.cli.experiment;

import org.jspecify.annotations.NullMarked;
