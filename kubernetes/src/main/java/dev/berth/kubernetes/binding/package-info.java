/**
 * The scheduler of pods itself: it watches a cluster, has a loop decide, and carries the plans out.
 */
@NullMarked
package dev.berth.kubernetes.binding;

import org.jspecify.annotations.NullMarked;
