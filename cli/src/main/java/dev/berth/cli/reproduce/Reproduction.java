package dev.berth.cli.reproduce;

import dev.berth.cli.experiment.ExperimentWatcher;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.terminal.ProgressText;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Studies that run one after the other. Stored results are used; the others run, and their progress
 * is shown with an estimate of the time left. The estimate is made of the {@linkplain
 * Study#duration() measured durations}, corrected by how fast this machine has been so far.
 */
final class Reproduction {

  /** Shorter ones are not announced. */
  private static final Duration LONG = Duration.ofMinutes(1);

  /** The pace is unknown until studies of this length have run. */
  private static final Duration ENOUGH = Duration.ofSeconds(5);

  private final List<Study> studies;
  private final StudyResults results;
  private final ProgressDisplay display;
  private final PrintWriter err;
  private final Map<String, Study.Setting> settings = new HashMap<>();
  private final Map<String, StudyResult> stored = new HashMap<>();
  private final List<Study> outstanding;
  private final AtomicInteger ended = new AtomicInteger();
  private Duration expected = Duration.ZERO; // of the studies that have run
  private Duration took = Duration.ZERO;

  /**
   * Prepares studies.
   *
   * @param studies in the order of their runs
   * @param err receives the number of stored results
   */
  Reproduction(
      List<Study> studies, StudyResults results, ProgressDisplay display, PrintWriter err) {
    this.studies = List.copyOf(studies);
    this.results = results;
    this.display = display;
    this.err = err;
    this.outstanding = new ArrayList<>(studies);
  }

  /**
   * Looks for stored results, and announces how long the others take if that is long.
   *
   * @param setting of each study
   */
  void begin(Function<Study, Study.Setting> setting) {
    for (Study each : studies) {
      Study.Setting its = setting.apply(each);
      settings.put(each.name(), its);
      results.find(each, its).ifPresent(result -> stored.put(each.name(), result));
    }
    if (!stored.isEmpty()) {
      err.printf("%s of %s studies are stored already.%n", stored.size(), studies.size());
      err.flush();
    }
    announcement(studies.stream().filter(each -> !stored.containsKey(each.name())).toList())
        .ifPresent(display::announce);
  }

  /** Returns how long studies take, in words; empty if that is short. */
  static Optional<String> announcement(List<Study> toRun) {
    Duration whole = sum(toRun);
    long unknown = toRun.stream().filter(each -> each.duration().isEmpty()).count();
    if (whole.compareTo(LONG) < 0) {
      return Optional.empty();
    }
    Study longest =
        toRun.stream()
            .max(Comparator.comparing(each -> each.duration().orElse(Duration.ZERO)))
            .orElseThrow();
    return Optional.of(
        "This takes about %s on two cores%s%s."
            .formatted(
                ProgressText.rounded(whole),
                toRun.size() == 1
                    ? ""
                    : ", %s of it for %s"
                        .formatted(
                            ProgressText.rounded(longest.duration().orElseThrow()), longest.name()),
                unknown == 0
                    ? ""
                    : ", without %s that %s not measured"
                        .formatted(
                            unknown == 1 ? "1 study" : unknown + " studies",
                            unknown == 1 ? "was" : "were")));
  }

  private static Duration sum(List<Study> studies) {
    return studies.stream()
        .map(each -> each.duration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns the result of a study: the stored one, or that of a run. */
  StudyResult run(Study study) {
    StudyResult known = stored.get(study.name());
    StudyResult result = known == null ? runAndKeep(study) : known;
    outstanding.remove(study);
    ended.incrementAndGet();
    return result;
  }

  private StudyResult runAndKeep(Study study) {
    Study.Setting setting = Objects.requireNonNull(settings.get(study.name()));
    Duration from = display.elapsed();
    begin(study);
    try {
      StudyResult result = study.run(setting);
      results.keep(study, setting, result);
      return result;
    } finally {
      display.end();
      Duration its = display.elapsed().minus(from);
      study.duration().ifPresent(usual -> count(usual, its));
    }
  }

  private void count(Duration usual, Duration its) {
    expected = expected.plus(usual);
    took = took.plus(its);
  }

  private void begin(Study study) {
    List<Study> later =
        outstanding.stream()
            .filter(each -> !each.equals(study) && !stored.containsKey(each.name()))
            .toList();
    Duration from = display.elapsed();
    boolean known =
        study.duration().isPresent()
            && later.stream().allMatch(each -> each.duration().isPresent());
    double pace =
        expected.compareTo(ENOUGH) < 0 ? 1 : took.toMillis() / (double) expected.toMillis();
    Duration its = scaled(study.duration().orElse(Duration.ZERO), pace);
    Duration rest = scaled(sum(later), pace);
    display.begin(
        label(study),
        () -> {
          Duration left = its.minus(display.elapsed().minus(from));
          Duration all = left.isNegative() ? rest : left.plus(rest);
          return known && !all.isZero() ? Optional.of(all) : Optional.empty();
        });
  }

  private static Duration scaled(Duration time, double factor) {
    return Duration.ofMillis(Math.round(time.toMillis() * factor));
  }

  private String label(Study study) {
    return studies.size() == 1
        ? study.name()
        : "%s (%s of %s)".formatted(study.name(), studies.indexOf(study) + 1, studies.size());
  }

  /** Returns the listener for a study that consists of an experiment. */
  ExperimentRunner.Listener listener(Study study) {
    return new ExperimentWatcher(display, err, label(study));
  }

  /** Returns the listener for another study. */
  Study.Steps steps() {
    return (run, done, all) ->
        display.reached(OptionalDouble.empty(), "run %s of %s".formatted(done + 1, all), run);
  }

  /** Returns the store for the runs of a study; empty: they are not kept. */
  Optional<CellStore> cells() {
    return results.cells();
  }

  /** Returns the studies that have no result yet. */
  List<Study> outstanding() {
    return List.copyOf(outstanding);
  }

  /** Returns whether a study has a result. Any thread may ask. */
  boolean hasEnded() {
    return ended.get() > 0;
  }

  /** Returns how many studies have a result, in words. Any thread may ask. */
  String done() {
    return "%s of %s studies".formatted(ended.get(), studies.size());
  }
}
