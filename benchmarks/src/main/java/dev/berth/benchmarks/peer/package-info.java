/** Berth and its peers, each in a virtual machine of its own, on the same hosts and requests. */
@NullMarked
package dev.berth.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
