/** Groups of instances that start together. Internal. */
@NullMarked
package dev.berth.core.internal.group;

import org.jspecify.annotations.NullMarked;
