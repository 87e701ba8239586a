package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import java.time.Duration;
import java.util.List;

/**
 * The rule of {@code qos-attained}. Victim k may be preempted for beneficiary j if
 *
 * <ul>
 *   <li>(B) j's class is more important, and j is below its margin and price, or k is beyond its
 *       margin; or
 *   <li>(G) their classes are equally important, k's {@linkplain Outlook#level level} is higher,
 *       and k is beyond its margin with more slack than j, or likely to end and beyond rescue;
 *       since its start it has run for a twentieth of its earlier service; or
 *   <li>(S) k is not likely to end, j is below its margin, k is beyond its margin by more than the
 *       price, and has more slack than j by more than the price. If the classes are equally
 *       important, k has also run for a minute and a fifth of its earlier service; if k's is less
 *       important, (B) holds anyway.
 * </ul>
 *
 * <p>So (G) and (S) among equals hit an instance O(log of its run time) times. The one that has
 * {@linkplain ServiceHistory#hasWaitedLongest waited longest} does not count as beyond rescue.
 *
 * <p>One that {@linkplain dev.berth.api.Request#losesProgress loses its progress} yields only by
 * (B), while j is below its margin and price: its {@linkplain AttainedVictims value} is low.
 *
 * <p>An instance over the preemption-overhead limit of its class is not preempted for that class.
 */
final class AttainedRule implements MonotonePreemptionRule {

  private static final int TURNS = 20; // the least turn is this part of its earlier service
  private static final int TURNS_OF_SERVICE = 5;

  private static final Verdict LESS_IMPORTANT = Verdict.allow("B", "of a less important class");
  private static final Verdict LONGER =
      Verdict.allow("G", "equally important, and with far more service to come");
  private static final Verdict AHEAD =
      Verdict.allow("S", "ahead of its objective by more than a switch costs");

  private static final Verdict NEITHER =
      Verdict.refuseRest("no-need", "within margin, for one that is not in need");
  private static final Verdict NOT_AHEAD =
      Verdict.refuseRest("more-important", "more important and not far enough ahead");
  private static final Verdict ENDS =
      Verdict.refuse("more-important-and-ends", "more important and likely to end");
  private static final Verdict NOT_LONGER =
      Verdict.refuse("not-longer", "without far more service to come");
  private static final Verdict LOSES =
      Verdict.refuse("loses-progress", "equally important, and would lose their progress");
  private static final Verdict TOO_SOON =
      Verdict.refuse("too-soon", "equally important, and started too recently");
  private static final Verdict OVER_LIMIT =
      Verdict.refuse("over-overhead-limit", "over their preemption-overhead limit");

  private final ServiceHistory history;
  private final QosUnit unit;
  private final Crossings crossings;
  private final long price; // in units
  private final long[] margins; // by class rank, in units
  private final int[] importance;
  private final double[] limits;
  private final double[] gains; // of slack, by time in service

  AttainedRule(ServiceHistory history, Duration price, List<ServiceClass> classes, QosUnit unit) {
    this.history = history;
    this.unit = unit;
    this.crossings = new Crossings(unit);
    this.price = unit.of(price);
    margins = classes.stream().mapToLong(each -> unit.of(each.safetyMargin())).toArray();
    importance = classes.stream().mapToInt(ServiceClass::importance).toArray();
    limits = classes.stream().mapToDouble(ServiceClass::preemptionOverheadLimit).toArray();
    gains = classes.stream().mapToDouble(each -> 1 / each.slo().share() - 1).toArray();
  }

  @Override
  public Verdict judge(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    if (importance[classJ] < importance[classK]) {
      return pair.beneficiaryValue() < margins[classJ] + price
              || pair.victimValue() > margins[classK]
          ? LESS_IMPORTANT
          : NEITHER;
    }
    boolean ahead = isAhead(pair);
    if (importance[classJ] > importance[classK]) {
      return !ahead ? NOT_AHEAD : outlook(pair).ends() ? ENDS : AHEAD;
    }
    if (pair.victim().request().losesProgress()) {
      return LOSES;
    }
    Outlook its = outlook(pair);
    boolean ends = its.ends();
    Verdict verdict = NOT_LONGER;
    if (its.level() > AttainedOrder.level(pair.beneficiaryTier())
        && (isBetterOff(pair) || (ends && isBeyondRescue(pair, its)))) {
      verdict = pair.now() < turnEnds(pair.victim(), TURNS) ? TOO_SOON : LONGER;
    } else if (ahead && !ends) {
      verdict = pair.now() < turnOfServiceEnds(pair.victim()) ? TOO_SOON : AHEAD;
    }
    return verdict.allowed() && classJ == classK && pair.victimPreemptionOverhead() > limits[classK]
        ? OVER_LIMIT
        : verdict;
  }

  /** Returns whether the victim is beyond its margin, and has more slack than the beneficiary. */
  private boolean isBetterOff(PreemptionPair pair) {
    return pair.victimValue() > margins[pair.victimClassRank()]
        && pair.beneficiaryValue() < pair.victimValue();
  }

  private boolean isBeyondRescue(PreemptionPair pair, Outlook its) {
    return pair.victimValue() < -unit.ofNanos(its.overdue()) // never, if that exceeds any life
        && !history.hasWaitedLongest(pair.victim());
  }

  /** Returns whether the victim is ahead, and the beneficiary in need, such that a switch pays. */
  private boolean isAhead(PreemptionPair pair) {
    return pair.beneficiaryValue() < margins[pair.beneficiaryClassRank()]
        && pair.victimValue() > margins[pair.victimClassRank()] + price
        && pair.beneficiaryValue() < pair.victimValue() - price;
  }

  private Outlook outlook(PreemptionPair pair) {
    return history.of(pair.victimClassRank(), pair.victim(), pair.now());
  }

  /** Returns when an instance has run for a part of its earlier service. */
  private static long turnEnds(Instance running, int turns) {
    long since = running.stateSince();
    return since + running.serviceTime(since) / turns;
  }

  private static long turnOfServiceEnds(Instance running) {
    return ServiceGrid.OFFSET + turnEnds(running, TURNS_OF_SERVICE);
  }

  @Override
  public long allowedUpTo(PreemptionPair pair) {
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    if (importance[classJ] < importance[classK]) {
      return pair.victimValue() > margins[classK] ? Long.MAX_VALUE : margins[classJ] + price - 1;
    }
    long sK = pair.victimValue();
    if (importance[classJ] > importance[classK] || judge(pair).equals(AHEAD)) {
      return Math.min(margins[classJ], sK - price) - 1;
    }
    Outlook its = outlook(pair);
    return its.ends() && isBeyondRescue(pair, its) ? Long.MAX_VALUE : sK - 1;
  }

  @Override
  public long refusedUntil(PreemptionPair pair) {
    long now = pair.now();
    int classJ = pair.beneficiaryClassRank();
    int classK = pair.victimClassRank();
    long sJ = pair.beneficiaryValue();
    long sK = pair.victimValue();
    if (importance[classJ] < importance[classK]) {
      return Math.min(
          crossings.closed(now, sJ - margins[classJ] - price, 1),
          crossings.closed(now, margins[classK] - sK, gains[classK]));
    }
    long ahead =
        Math.max(
            Math.max(
                crossings.closed(now, sJ - margins[classJ], 1),
                crossings.closed(now, margins[classK] + price - sK, gains[classK])),
            crossings.closed(now, sJ - sK + price, 1 + gains[classK]));
    if (importance[classJ] > importance[classK]) {
      return isAhead(pair) ? changes(pair, ServiceGrid.LEVELS) : ahead;
    }
    if (pair.victim().request().losesProgress()) {
      return Long.MAX_VALUE;
    }
    int level = AttainedOrder.level(pair.beneficiaryTier());
    Outlook its = outlook(pair);
    long until = changes(pair, level);
    if (its.level() > level) {
      long betterOff =
          Math.max(
              crossings.closed(now, margins[classK] - sK, gains[classK]),
              crossings.closed(now, sJ - sK, 1 + gains[classK]));
      long yields = its.ends() && isBeyondRescue(pair, its) ? now : betterOff;
      until = Math.min(until, Math.max(yields, turnEnds(pair.victim(), TURNS)));
    }
    if (!its.ends()) {
      until = Math.min(until, Math.max(ahead, turnOfServiceEnds(pair.victim())));
    }
    return classJ == classK
        ? Math.max(until, Crossings.withinLimit(pair.victim(), limits[classK], now))
        : until;
  }

  /** Returns when what is known of the victim may change, with its service or with the tables. */
  private long changes(PreemptionPair pair, int above) {
    long missing = outlook(pair).changesIn(above);
    return Math.min(history.until(), missing == Long.MAX_VALUE ? missing : pair.now() + missing);
  }
}
