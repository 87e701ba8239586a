package dev.berth.experiments.studies.slo;

import dev.berth.report.Table;
import dev.berth.simulator.result.ClassResult;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** A figure of a service class in one run: a column of the tables. */
enum Figure {
  MIN("availability", "min", "smallest availability", 4, true, each -> each.min().orElseThrow()),
  MEAN("availability", "mean", "mean availability", 4, true, each -> each.mean().orElseThrow()),
  MET("", "SLO met", "share that meets the SLO", 4, true, each -> each.fulfilment().orElseThrow()),
  /** Over the requests that miss their objective; 0 if none does. */
  DEFICIT("deficit", "mean", "mean deficit", 4, false, each -> each.meanDeficit().orElse(0)),
  /** Over the same requests. */
  MAX_DEFICIT("deficit", "max", "greatest deficit", 4, false, each -> each.maxDeficit().orElse(0)),
  PENALTY("", "penalty core h", "penalty", 2, false, ClassResult::penalty),
  PREEMPTIONS("", "preempted", "number of preemptions", 0, false, ClassResult::preemptions),
  LOST_WORK(
      "", "lost work h", "lost work", 2, false, each -> each.lostWork() / Figure.SECONDS_PER_HOUR);

  private static final double SECONDS_PER_HOUR = 3_600;

  private final String heading;
  private final String column;
  private final String words;
  private final int digits;
  private final boolean moreIsBetter;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final ToDoubleFunction<ClassResult> figure;

  Figure(
      String heading,
      String column,
      String words,
      int digits,
      boolean moreIsBetter,
      ToDoubleFunction<ClassResult> figure) {
    this.heading = heading;
    this.column = column;
    this.words = words;
    this.digits = digits;
    this.moreIsBetter = moreIsBetter;
    this.figure = figure;
  }

  /** Returns the figure of a class; empty if it has no requests. */
  OptionalDouble of(ClassResult got) {
    return got.count() == 0 ? OptionalDouble.empty() : OptionalDouble.of(figure.applyAsDouble(got));
  }

  /** Returns whether the figure is a sum, which has a meaning over all classes. */
  boolean isSum() {
    return this == PENALTY || this == PREEMPTIONS || this == LOST_WORK;
  }

  Table.Column column() {
    Table.Column plain = Table.Column.ofNumbers(column);
    return heading.isEmpty() ? plain : plain.withHeading(heading);
  }

  /** Returns its name in ids: {@code "lost-work"}. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns its name in a sentence. */
  String words() {
    return words;
  }

  int digits() {
    return digits;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }
}
