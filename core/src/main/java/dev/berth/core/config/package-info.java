/** Keys and durations of the configurations of policies. */
@NullMarked
package dev.berth.core.config;

import org.jspecify.annotations.NullMarked;
