/** The files that commands write, and the options that name them. */
@NullMarked
package dev.berth.cli.output;

import org.jspecify.annotations.NullMarked;
