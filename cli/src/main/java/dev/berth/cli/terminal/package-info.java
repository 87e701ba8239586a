/** Process-level services for commands: streams, exit codes, errors and progress. */
@NullMarked
package dev.berth.cli.terminal;

import org.jspecify.annotations.NullMarked;
