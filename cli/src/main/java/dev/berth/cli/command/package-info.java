/** The commands of {@code berth}, one class each, and their runs. */
@NullMarked
package dev.berth.cli.command;

import org.jspecify.annotations.NullMarked;
