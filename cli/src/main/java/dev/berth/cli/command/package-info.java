/** The commands of {@code berth}, one class each, and what they do. */
@NullMarked
package dev.berth.cli.command;

import org.jspecify.annotations.NullMarked;
