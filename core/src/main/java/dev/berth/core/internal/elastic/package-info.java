/** Bags of tasks, and pools that provide hosts for them. Internal. */
@NullMarked
package dev.berth.core.internal.elastic;

import org.jspecify.annotations.NullMarked;
