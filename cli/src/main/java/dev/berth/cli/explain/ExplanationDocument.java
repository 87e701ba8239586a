package dev.berth.cli.explain;

import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.cli.terminal.TimeText;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Heading;
import dev.berth.report.Numbers;
import dev.berth.report.Section;
import dev.berth.report.Stack;
import dev.berth.report.Text;
import dev.berth.report.render.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An explanation in words, for people. */
public final class ExplanationDocument {

  private ExplanationDocument() {}

  /** Returns the document: the state of the instance and the reasons for it. */
  public static Document of(Explanation explanation) {
    InstanceAccount got = explanation.accounting();
    List<Block> blocks = new ArrayList<>();
    explanation.whyPending().ifPresent(why -> blocks.add(part("why it waits", why.describe())));
    explanation.whyHere().ifPresent(why -> blocks.add(part("why it is there", why.describe())));
    explanation.whyMigrated().ifPresent(why -> blocks.add(part("why it is there", why.describe())));
    explanation
        .whyPreempted()
        .ifPresent(why -> blocks.add(part("why it was preempted last", why.describe())));
    explanation
        .whyAdjusted()
        .filter(why -> !Optional.of(why).equals(explanation.whyMigrated()))
        .ifPresent(why -> blocks.add(part("last other action on it", why.describe())));
    explanation
        .whyProtected()
        .ifPresent(why -> blocks.add(part("why it may not be taken down", why.describe())));
    return new Document(
        "%s at %s, under %s: %s"
            .formatted(
                got.instance(),
                TimeText.of(explanation.at().toNanos()),
                explanation.policy(),
                standing(got, explanation.at().toNanos())),
        Stream.of(promise(got), life(got), verdict(got), moves(got))
            .map(line -> "  " + Printable.line(line))
            .collect(Collectors.joining("\n")),
        List.of(new Section("reasons", "", blocks)),
        List.of());
  }

  /** Returns a part with an item for each clause of a text. */
  private static Block part(String title, String text) {
    return Stack.of(new Heading(title), Text.bullets(Printable.line(text).split("; ", -1)));
  }

  private static String standing(InstanceAccount got, long now) {
    String where = got.host().map(host -> " on " + host).orElse("");
    String since = " since " + TimeText.of(got.stateSince());
    String lasting = ", for " + TimeText.of(now - got.stateSince());
    return switch (got.state()) {
      case PENDING -> "pending" + since + lasting;
      case STARTING -> "starting" + where + since + lasting;
      case RUNNING -> "running" + where + since + lasting;
      case PAUSED -> "paused" + where + since + lasting;
      case SUSPENDED -> "suspended" + where + since + lasting;
      case DONE -> "done" + since;
    };
  }

  private static String promise(InstanceAccount got) {
    String slo = Numbers.plain(got.serviceClass().slo().share());
    String promised = "class %s, SLO %s".formatted(got.serviceClass().name(), slo);
    return got.request()
        .map(Request::demand)
        .map(demand -> promised + "; demand " + demand)
        .orElse(promised);
  }

  private static String life(InstanceAccount got) {
    return "admitted at %s; in service %s, not in service %s"
        .formatted(
            TimeText.of(got.admittedAt()),
            TimeText.of(got.serviceTime()),
            TimeText.of(got.waitingTime()));
  }

  private static String verdict(InstanceAccount got) {
    String availability = "availability " + Numbers.fixed(got.availability(), 4);
    if (got.state() == InstanceState.DONE) {
      return availability + (got.spare().isPresent() ? ": SLO met" : ": SLO missed");
    }
    if (got.spare().isPresent()) {
      long spare = got.spare().getAsLong();
      return availability + ": it meets its SLO, and can wait another " + TimeText.of(spare);
    }
    if (got.catchUp().isPresent()) {
      long catchUp = got.catchUp().getAsLong();
      return availability
          + ": below its SLO, which it meets again after "
          + TimeText.of(catchUp)
          + " in service";
    }
    return availability + ": below its SLO for good, which allows no waiting";
  }

  private static String moves(InstanceAccount got) {
    String moves = times("placed", got.placements()) + ", " + times("preempted", got.preemptions());
    if (got.migrations() > 0) {
      moves += ", " + times("migrated", got.migrations());
    }
    return got.restartOverhead() == 0
        ? moves
        : moves + "; restarts took " + TimeText.of(got.restartOverhead());
  }

  private static String times(String done, int count) {
    return switch (count) {
      case 0 -> "never " + done;
      case 1 -> done + " once";
      case 2 -> done + " twice";
      default -> done + " " + count + " times";
    };
  }
}
