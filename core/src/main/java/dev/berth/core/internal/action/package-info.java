/** Actions of plans that can still be undone. Internal. */
@NullMarked
package dev.berth.core.internal.action;

import org.jspecify.annotations.NullMarked;
