/** {@code berth explain}: why an instance waits, or is on its host. */
@NullMarked
package dev.berth.cli.explain;

import org.jspecify.annotations.NullMarked;
