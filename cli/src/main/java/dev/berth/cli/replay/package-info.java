/** {@code berth replay}: runs a journal again and compares all plans. */
@NullMarked
package dev.berth.cli.replay;

import org.jspecify.annotations.NullMarked;
