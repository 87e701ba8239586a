/** {@code berth compare}: policies side by side on one scenario. */
@NullMarked
package dev.berth.cli.compare;

import org.jspecify.annotations.NullMarked;
