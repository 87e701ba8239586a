/** Abstract contract tests for formats of workloads, infrastructures and host events. */
@NullMarked
package dev.berth.testkit.format;

import org.jspecify.annotations.NullMarked;
