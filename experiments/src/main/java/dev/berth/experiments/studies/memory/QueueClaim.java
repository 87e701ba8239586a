package dev.berth.experiments.studies.memory;

import dev.berth.experiments.study.Claim;
import dev.berth.report.Numbers;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A claim about the order of queue disciplines, as a ratio of two of their figures.
 *
 * @param id of the claim
 * @param words the claim
 * @param ratio the figure that decides, of any disciplines
 * @param holds whether ours support it
 */
record QueueClaim(
    String id, String words, ToDoubleFunction<QueueFigures> ratio, Predicate<QueueFigures> holds) {

  private static final double ALIKE = 0.05;
  private static final int DIGITS = 3;

  /** The figures of queue disciplines, by label: ours or published ones. */
  interface QueueFigures {

    /** Returns a figure; NaN if it is unknown. */
    double get(String discipline, String figure);

    default double late(String discipline) {
      return get(discipline, "late");
    }

    default double total(String discipline) {
      return get(discipline, "total");
    }

    default double lateness(String discipline) {
      return get(discipline, "lateness");
    }

    default double turnaround(String discipline) {
      return get(discipline, "turnaround");
    }
  }

  /** Checks the claim. */
  Claim check(QueueFigures published, QueueFigures ours) {
    return Claim.of(id, words, text(published), text(ours), holds.test(ours));
  }

  private String text(QueueFigures figures) {
    double value = ratio.applyAsDouble(figures);
    OptionalDouble defined =
        Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    return defined.isPresent() ? "ratio " + Numbers.fixed(defined, DIGITS) : "";
  }

  // ---- Claims of several studies

  static QueueClaim shorterByBackfilling() {
    return new QueueClaim(
        "backfilling-total",
        "backfilling shortens FIFO's total time",
        it -> it.total("fifo + aggressive") / it.total("fifo"),
        it -> it.total("fifo + aggressive") < it.total("fifo"));
  }

  static QueueClaim fasterByBackfilling() {
    return new QueueClaim(
        "backfilling-turnaround",
        "backfilling shortens the mean turnaround of EDF",
        it -> it.turnaround("edf + aggressive") / it.turnaround("edf"),
        it -> it.turnaround("edf + aggressive") < it.turnaround("edf"));
  }

  static QueueClaim longestTotal() {
    return new QueueClaim(
        "longest-total",
        "EDF and SGF have longer total times than FIFO and FCF",
        it ->
            Math.min(it.total("edf"), it.total("sgf"))
                / Math.max(it.total("fifo"), it.total("fcf")),
        it ->
            Math.min(it.total("edf"), it.total("sgf"))
                > Math.max(it.total("fifo"), it.total("fcf")));
  }

  static QueueClaim leastLateness() {
    return new QueueClaim(
        "least-lateness",
        "EDF and SGF have less lateness than FIFO, with or without backfilling, and FCF",
        it ->
            Math.max(it.lateness("edf"), it.lateness("sgf"))
                / least(it.lateness("fifo"), it.lateness("fifo + aggressive"), it.lateness("fcf")),
        it ->
            Math.max(it.lateness("edf"), it.lateness("sgf"))
                < least(it.lateness("fifo"), it.lateness("fifo + aggressive"), it.lateness("fcf")));
  }

  static QueueClaim moreLatenessByBackfilling() {
    return new QueueClaim(
        "backfilling-lateness",
        "backfilling adds to the lateness of EDF and SGF",
        it ->
            Math.min(
                it.lateness("edf + aggressive") / it.lateness("edf"),
                it.lateness("sgf + aggressive") / it.lateness("sgf")),
        it ->
            it.lateness("edf + aggressive") > it.lateness("edf")
                && it.lateness("sgf + aggressive") > it.lateness("sgf"));
  }

  static QueueClaim fewerLateByBackfilling() {
    return new QueueClaim(
        "backfilling-late",
        "with backfilling, FIFO, EDF and SGF make fewer jobs late",
        it ->
            Math.max(
                it.late("fifo + aggressive") / it.late("fifo"),
                Math.max(
                    it.late("edf + aggressive") / it.late("edf"),
                    it.late("sgf + aggressive") / it.late("sgf"))),
        it ->
            it.late("fifo + aggressive") < it.late("fifo")
                && it.late("edf + aggressive") < it.late("edf")
                && it.late("sgf + aggressive") < it.late("sgf"));
  }

  static QueueClaim alike() {
    return new QueueClaim(
        "edf-sgf",
        "EDF and SGF perform alike (turnaround within 5 %, our criterion)",
        it -> it.turnaround("sgf") / it.turnaround("edf"),
        it -> Math.abs(it.turnaround("sgf") / it.turnaround("edf") - 1) < ALIKE);
  }

  static QueueClaim sjf() {
    return new QueueClaim(
        "sjf-fifo",
        "SJF performs as FIFO (turnaround within 5 %, our criterion); theirs cannot have sorted, ours does",
        it -> it.turnaround("sjf") / it.turnaround("fifo"),
        it -> Math.abs(it.turnaround("sjf") / it.turnaround("fifo") - 1) < ALIKE);
  }

  static double least(double... figures) {
    return Arrays.stream(figures).min().orElseThrow();
  }
}
