package dev.berth.cli.terminal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How far a command is, at one moment.
 *
 * @param what names what runs; one line
 * @param fraction that is complete, in [0, 1]; empty if unknown
 * @param details further figures, the most important first
 * @param elapsed time since the command began
 * @param left estimate of the remaining time; empty if there is none
 */
record ProgressState(
    String what,
    OptionalDouble fraction,
    List<String> details,
    Duration elapsed,
    Optional<Duration> left) {

  ProgressState {
    details = List.copyOf(details);
  }
}
