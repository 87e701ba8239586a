/** The command {@code berth kubernetes}: runs the scheduler of pods, and says what it would do. */
@NullMarked
package dev.berth.kubernetes.command;

import org.jspecify.annotations.NullMarked;
