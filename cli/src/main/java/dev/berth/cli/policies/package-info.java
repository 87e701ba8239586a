/** {@code berth policies}: the available policies and their configurations. */
@NullMarked
package dev.berth.cli.policies;

import org.jspecify.annotations.NullMarked;
