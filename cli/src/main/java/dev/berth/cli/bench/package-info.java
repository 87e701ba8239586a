/** {@code berth bench}: what scheduling costs on this machine. */
@NullMarked
package dev.berth.cli.bench;

import org.jspecify.annotations.NullMarked;
