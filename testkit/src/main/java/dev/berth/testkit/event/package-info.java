/** What an embedder tells a scheduler, as values, and who takes them. */
@NullMarked
package dev.berth.testkit.event;

import org.jspecify.annotations.NullMarked;
