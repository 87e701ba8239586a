package dev.berth.kubernetes.reproduction;

import dev.berth.core.config.Durations;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;

/** Figures as lines of text. */
final class FiguresText {

  private FiguresText() {}

  /** Returns a line about a run that goes on. */
  static String progress(
      RunSettings settings,
      double seconds,
      int submitted,
      PodAccounting.Figures figures,
      long apiRequests,
      long passes) {
    StringBuilder means = new StringBuilder();
    for (Validation.Published each : settings.validation().published()) {
      PodFigures ours = PodFigures.of(each.serviceClass(), figures);
      means.append(", %s %s".formatted(each.serviceClass(), share(ours.mean())));
    }
    return line(
        "%.0f of %.0f min: %,d submitted, %,d ready%s; %,d bound, %,d preempted running, %,d"
            + " starting; slot empty %s; %,d passes, %,d API requests",
        seconds * settings.speed() / 60,
        settings.minutes(),
        submitted,
        figures.ready(),
        means,
        figures.bound(),
        figures.preemptedRunning(),
        figures.preemptedStarting(),
        emptySlot(settings, figures),
        passes,
        apiRequests);
  }

  /** Returns a table: published figures beside those of a run. */
  static String table(Reproduction.Result result) {
    RunSettings settings = result.settings();
    PodAccounting.Figures figures = result.figures();
    StringBuilder text = new StringBuilder();
    text.append(
        line(
            "%s on a Kubernetes API server: %s min, speed %s, seed %d\n\n",
            settings.validation().id(),
            plain(settings.minutes()),
            plain(settings.speed()),
            settings.seed()));
    text.append(
        """
                             --- availability ---
                              min    mean     max  SLO met  preempted
        """);
    for (Validation.Published theirs : settings.validation().published()) {
      PodFigures ours = PodFigures.of(theirs.serviceClass(), figures);
      text.append(
          line(
              "%s (SLO %s), %d requests\n",
              theirs.serviceClass(),
              plain(Validation.slo(theirs.serviceClass())),
              ours.requests()));
      row(
          text,
          "their Kubernetes",
          OptionalDouble.of(theirs.min()),
          OptionalDouble.of(theirs.mean()),
          OptionalDouble.of(theirs.max()),
          OptionalDouble.of(theirs.sloMet()),
          theirs.preempted());
      row(
          text,
          "ours",
          ours.min(),
          ours.mean(),
          ours.max(),
          ours.sloMet(),
          line("%,d", ours.preempted()));
    }
    text.append('\n');
    fact(text, "preemptions, theirs", settings.validation().publishedPreemptions());
    fact(
        text,
        "preemptions, ours",
        line(
            "%,d of running pods; %,d with those that were starting",
            figures.preemptedRunning(), figures.preemptedRunning() + figures.preemptedStarting()));
    fact(text, "deleted while waiting", line("%,d", figures.deletedWaiting()));
    fact(text, "pods created", line("%,d", result.created()));
    fact(text, "pods bound", line("%,d", figures.bound()));
    fact(text, "pods failed", line("%,d", figures.failed()));
    fact(text, "most pods on a node", line("%d of 10", figures.mostOnNode()));
    fact(
        text,
        "slot empty",
        emptySlot(settings, figures) + " from a preemption to the next binding (theirs: 3.32 s)");
    fact(text, "passes", line("%,d", result.passes()));
    fact(text, "API requests", line("%,d by the scheduler, without watches", result.apiRequests()));
    fact(
        text,
        "scheduler",
        line(
            "qos-driven, urgent requests first, margin %s, a pass each %s, passes at least %s apart",
            Durations.format(RunSettings.MARGIN),
            Durations.format(settings.watchdog()),
            Durations.format(RunSettings.PASS_INTERVAL)));
    text.append("\nTimes are those of the paper: the run divides them by its speed.\n");
    return text.toString();
  }

  private static String emptySlot(RunSettings settings, PodAccounting.Figures figures) {
    return figures.emptySeconds().isPresent()
        ? line("%.2f s", figures.emptySeconds().getAsDouble() * settings.speed())
        : "–";
  }

  /** Returns a number without needless zeros. */
  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private static void row(
      StringBuilder text,
      String name,
      OptionalDouble min,
      OptionalDouble mean,
      OptionalDouble max,
      OptionalDouble sloMet,
      String preempted) {
    text.append(
        line(
            "  %-16s %7s %7s %7s  %7s  %9s\n",
            name, share(min), share(mean), share(max), share(sloMet), preempted));
  }

  private static void fact(StringBuilder text, String name, String value) {
    text.append(line("%-22s %s\n", name, value));
  }

  private static String share(OptionalDouble value) {
    return value.isPresent() ? line("%.4f", value.getAsDouble()) : "–";
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
