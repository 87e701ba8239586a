/** Errors for users, and the exit codes of the command. */
@NullMarked
package dev.berth.cli.error;

import org.jspecify.annotations.NullMarked;
