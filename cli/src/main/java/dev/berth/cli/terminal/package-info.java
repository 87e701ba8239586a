/** What every command needs of its process: streams, exit codes, errors and progress. */
@NullMarked
package dev.berth.cli.terminal;

import org.jspecify.annotations.NullMarked;
