/**
 * The {@code berth} command: {@link dev.berth.cli.Berth} is where it starts.
 *
 * <p>A command has a package of its own, with its options and what it prints. A command class turns
 * options into a {@link dev.berth.cli.compare.Comparison} (or a query), runs it, and hands the
 * outcome to a renderer. Only this module prints, and only through the writers of picocli's {@code
 * CommandLine}.
 */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
