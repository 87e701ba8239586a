/**
 * The search for the best host of an instance, and for the victims that it needs there. Internal.
 *
 * <p>It reads the cluster state and changes nothing in it.
 */
@NullMarked
package dev.berth.core.internal.search;

import org.jspecify.annotations.NullMarked;
