/** How a scheduler takes back what it has done. */
@org.jspecify.annotations.NullMarked
package dev.berth.core.internal.undo;
