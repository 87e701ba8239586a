/** Options that commands share: policies, workloads, hosts and published studies by name. */
@NullMarked
package dev.berth.cli.option;

import org.jspecify.annotations.NullMarked;
