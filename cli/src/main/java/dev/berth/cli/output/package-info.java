/** Writes the results of commands: text, JSON, CSV and pages. */
@NullMarked
package dev.berth.cli.output;

import org.jspecify.annotations.NullMarked;
