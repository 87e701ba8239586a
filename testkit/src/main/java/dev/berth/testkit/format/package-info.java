/** Contract tests for formats of workloads, infrastructures and host events, to extend. */
@NullMarked
package dev.berth.testkit.format;

import org.jspecify.annotations.NullMarked;
