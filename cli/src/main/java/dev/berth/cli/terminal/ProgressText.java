package dev.berth.cli.terminal;

import dev.berth.core.config.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Words for progress: a whole line for a log, or as much as fits into one line of a terminal. */
public final class ProgressText {

  private static final int LEAST_BAR = 10;
  private static final int MOST_BAR = 30;
  private static final String CUT = "...";

  /** An end that is further away stands for no end. */
  private static final Duration ENDLESS = Duration.ofDays(100 * 365);

  private ProgressText() {}

  /** Returns all there is to say, in one line. */
  static String full(ProgressState state) {
    List<String> parts = new ArrayList<>();
    percent(state).ifPresent(parts::add);
    parts.addAll(state.details());
    parts.add(rounded(state.elapsed()) + " so far");
    left(state).ifPresent(parts::add);
    return joined(state.what(), parts);
  }

  /**
   * Returns as much as fits. Drops the last details first, then the elapsed time and the estimate;
   * name and percentage remain. Draws a bar if there is room.
   *
   * @param columns largest number of characters; positive
   */
  static String fitted(ProgressState state, int columns) {
    List<String> head = new ArrayList<>();
    percent(state).ifPresent(head::add);
    List<String> details = new ArrayList<>(state.details());
    List<String> tail = new ArrayList<>();
    tail.add(rounded(state.elapsed()));
    left(state).ifPresent(tail::add);
    String line = joined(state.what(), head, details, tail);
    while (line.length() > columns && !(details.isEmpty() && tail.isEmpty())) {
      if (details.isEmpty()) {
        tail.remove(0);
      } else {
        details.remove(details.size() - 1);
      }
      line = joined(state.what(), head, details, tail);
    }
    if (line.length() > columns) {
      return withoutEndOfName(state.what(), head, columns);
    }
    int room = Math.min(MOST_BAR, columns - line.length() - 3); // blank and brackets
    return room < LEAST_BAR || state.fraction().isEmpty()
        ? line
        : state.what()
            + " "
            + bar(state.fraction().getAsDouble(), room)
            + line.substring(state.what().length() + 1);
  }

  /** Returns a line without its end if it is too long. */
  static String cut(String line, int columns) {
    return line.length() <= columns
        ? line
        : columns <= CUT.length()
            ? line.substring(0, columns)
            : line.substring(0, columns - CUT.length()) + CUT;
  }

  private static String withoutEndOfName(String what, List<String> head, int columns) {
    String rest = head.isEmpty() ? "" : ": " + String.join(", ", head);
    return cut(what, Math.max(0, columns - rest.length())) + cut(rest, columns);
  }

  private static String bar(double fraction, int room) {
    int done = (int) Math.floor(fraction * room);
    return "["
        + "=".repeat(done)
        + (done < room ? ">" : "")
        + " ".repeat(Math.max(0, room - done - 1))
        + "]";
  }

  @SafeVarargs
  private static String joined(String what, List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> each : parts) {
      all.addAll(each);
    }
    return all.isEmpty() ? what : what + ": " + String.join(", ", all);
  }

  private static Optional<String> percent(ProgressState state) {
    return state.fraction().isEmpty()
        ? Optional.empty()
        : Optional.of((int) Math.floor(100 * state.fraction().getAsDouble()) + " %");
  }

  private static Optional<String> left(ProgressState state) {
    return state.left().map(each -> "about " + rounded(each) + " left");
  }

  /** Returns a time as exact as a reader needs it: to the second, later to the minute. */
  public static String rounded(Duration time) {
    Duration exact =
        time.compareTo(Duration.ofMinutes(10)) < 0
            ? time.truncatedTo(ChronoUnit.SECONDS)
            : time.truncatedTo(ChronoUnit.MINUTES);
    return exact.isZero() ? "1s" : Durations.format(exact);
  }

  /**
   * Returns how much of the simulated time is over, in a unit that suits the whole: {@code "12d of
   * 29d simulated"}.
   */
  public static String simulated(Duration reached, Duration until) {
    ChronoUnit unit = unitFor(until);
    String now = Durations.format(floor(reached, unit));
    return until.compareTo(ENDLESS) >= 0
        ? now + " simulated"
        : now + " of " + Durations.format(floor(until, unit)) + " simulated";
  }

  private static ChronoUnit unitFor(Duration until) {
    for (ChronoUnit each : List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES)) {
      if (until.compareTo(each.getDuration().multipliedBy(2)) >= 0) {
        return each;
      }
    }
    return ChronoUnit.SECONDS;
  }

  private static Duration floor(Duration time, ChronoUnit unit) {
    return Duration.of(time.toSeconds() / unit.getDuration().toSeconds(), unit);
  }
}
