/** A thread that runs tasks one after another. */
@NullMarked
package dev.berth.kubernetes.tasks;

import org.jspecify.annotations.NullMarked;
