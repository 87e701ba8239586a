/** The process and its terminal: standard streams, signals, progress, and words for time. */
@NullMarked
package dev.berth.cli.terminal;

import org.jspecify.annotations.NullMarked;
