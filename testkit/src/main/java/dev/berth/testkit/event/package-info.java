/** The reports of an embedder to a scheduler as values, and their receivers. */
@NullMarked
package dev.berth.testkit.event;

import org.jspecify.annotations.NullMarked;
