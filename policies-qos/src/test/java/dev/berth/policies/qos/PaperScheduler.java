package dev.berth.policies.qos;

import dev.berth.api.Dimension;
import dev.berth.api.ServiceClass;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.policies.qos.PaperJob.Node;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rule of the paper, written from sections 3 and 4.1 alone. It shares no code with the policy
 * and the reference model, and computes every figure anew. Costs compare by sums (decision 4).
 *
 * <p>It is exact if every e/σ is a whole number. Seeded hashes replace random choices.
 */
class PaperScheduler {

  /** What can be configured. The classes are ordered by importance, then by name. */
  record Settings(
      List<ServiceClass> classes,
      long alpha,
      boolean minimizeVictims,
      boolean preemptStarting,
      long seed) {}

  private record Option(
      Node node, List<PaperJob> victims, LongBuffer cost, double score, long toss) {}

  final Settings settings;
  final Map<String, PaperJob> jobs = new LinkedHashMap<>();
  final Map<String, Node> nodes = new LinkedHashMap<>();
  private long passes;

  PaperScheduler(Settings settings) {
    this.settings = settings;
  }

  /** Algorithm 1, lines 18 to 30. */
  List<String> pass(long now) {
    passes++;
    List<String> plan = new ArrayList<>();
    Stream<PaperJob> pending = jobs.values().stream().filter(each -> each.node() == null);
    for (PaperJob j : pending.sorted(queueOrder(now)).toList()) {
      Stream<Option> feasible = nodes.values().stream().flatMap(h -> check(j, h, now).stream());
      feasible.min(RANKING).ifPresent(best -> carryOut(j, best, now, plan));
    }
    return plan;
  }

  private void carryOut(PaperJob j, Option best, long now, List<String> plan) {
    String host = " on " + best.node.id();
    for (PaperJob k : best.victims) {
      k.stop(true, now);
      plan.add("preempt " + k.id() + host + " for " + j.id());
    }
    plan.add("place " + j.id() + host);
    j.place(best.node, passes, now);
  }

  Comparator<PaperJob> queueOrder(long now) {
    return Comparator.<PaperJob>comparingLong(each -> q(each, now))
        .thenComparing(each -> each.serviceClass().importance())
        .thenComparing(each -> each.admittedAt())
        .thenComparing(each -> each.id());
  }

  long e(PaperJob job, long now) {
    return job.served(now);
  }

  /** Eqs. 2 to 7. */
  long q(PaperJob job, long now) {
    long percent = job.serviceClass().slo().partsPerBillion() / 10_000_000; // σ
    return e(job, now) * 100 / percent - (now - job.admittedAt()) - settings.alpha;
  }

  long margin(PaperJob job) {
    return job.serviceClass().safetyMargin().toNanos();
  }

  /** Eq. 8. */
  boolean isOverLimit(PaperJob k, long now) {
    double limit = k.serviceClass().preemptionOverheadLimit();
    return k.lost() > 0 && (double) k.lost() / (e(k, now) + k.lost()) > limit;
  }

  /** Section 3.3.1. */
  private Optional<Option> check(PaperJob j, Node h, long now) {
    List<PaperJob> victims = new ArrayList<>();
    for (PaperJob k : h.jobs().stream().sorted(victimOrder(now)).toList()) {
      boolean candidate = k.pass() < passes && (k.runs() || settings.preemptStarting);
      boolean enough =
          fits(j, h, victims) && !(settings.minimizeVictims && isEqual(victims, k, now));
      if (candidate && !enough && mayPreempt(j, k, now)) {
        victims.add(k);
      }
    }
    boolean matches =
        j.request().constraints().stream().allMatch(each -> each.holdsWith(h.spec().attributes()));
    if (!matches || !fits(j, h, victims)) {
      return Optional.empty();
    }
    if (settings.minimizeVictims) {
      victims = fewest(j, h, victims, now);
    }
    long toss = SeededTieBreaker.toss(settings.seed, passes, j.id(), h.id(), nodes.size());
    return Optional.of(
        new Option(h, victims, LongBuffer.wrap(cost(victims, now)), score(j, h, victims), toss));
  }

  private boolean isEqual(List<PaperJob> victims, PaperJob k, long now) {
    return !victims.isEmpty() && q(victims.get(victims.size() - 1), now) == q(k, now);
  }

  /** Spares victims, the last first; of those with equal Q as many as possible (decision 35). */
  private List<PaperJob> fewest(PaperJob j, Node h, List<PaperJob> victims, long now) {
    return IntStream.range(0, 1 << victims.size())
        .mapToObj(set -> subset(victims, set))
        .filter(some -> fits(j, h, some))
        .min(
            Comparator.<List<PaperJob>, LongBuffer>comparing(
                    some -> LongBuffer.wrap(numbers(victims, some, now)))
                .thenComparing(some -> freed(some, h)))
        .orElseThrow();
  }

  private static List<PaperJob> subset(List<PaperJob> all, int set) {
    return IntStream.range(0, all.size())
        .filter(i -> (set >> i & 1) == 1)
        .mapToObj(all::get)
        .toList();
  }

  /** Returns how many of each Q are among some, the least Q first. */
  private long[] numbers(List<PaperJob> all, List<PaperJob> some, long now) {
    return all.stream()
        .mapToLong(each -> q(each, now))
        .distinct()
        .sorted()
        .map(of -> some.stream().filter(each -> q(each, now) == of).count())
        .toArray();
  }

  private static long freed(List<PaperJob> some, Node h) {
    return some.stream()
        .flatMapToDouble(
            each ->
                h.spec().capacity().dimensions().stream()
                    .mapToDouble(
                        d ->
                            (double) each.request().demand().amount(d)
                                / (double) h.spec().capacity().amount(d)))
        .mapToLong(share -> (long) (share * (1 << 30)))
        .sum();
  }

  Comparator<PaperJob> victimOrder(long now) {
    return Comparator.<PaperJob>comparingLong(each -> q(each, now))
        .thenComparing(each -> SeededTieBreaker.hash(settings.seed, each.id()))
        .reversed();
  }

  private static boolean fits(PaperJob j, Node h, List<PaperJob> gone) {
    return use(j, h, gone).getMax() <= 1;
  }

  /** Returns the shares that are used of each dimension with j there. */
  private static DoubleSummaryStatistics use(PaperJob j, Node h, List<PaperJob> gone) {
    List<PaperJob> all = new ArrayList<>(h.jobs());
    all.removeAll(gone);
    all.add(j);
    return h.spec().capacity().dimensions().stream()
        .mapToDouble(d -> sum(all, d) / h.spec().capacity().amount(d))
        .summaryStatistics();
  }

  private static double sum(List<PaperJob> jobs, Dimension dimension) {
    return jobs.stream().mapToLong(each -> each.request().demand().amount(dimension)).sum();
  }

  private boolean mayPreempt(PaperJob j, PaperJob k, long now) {
    return (ruleA(j, k, now) || ruleB(j, k, now) || ruleC(j, k, now))
        && !(j.serviceClass() == k.serviceClass() && isOverLimit(k, now));
  }

  boolean ruleA(PaperJob j, PaperJob k, long now) {
    return q(k, now) >= margin(k) && q(j, now) < q(k, now);
  }

  boolean ruleB(PaperJob j, PaperJob k, long now) {
    return bothBelowMargin(j, k, now)
        && j.serviceClass().importance() < k.serviceClass().importance();
  }

  boolean ruleC(PaperJob j, PaperJob k, long now) {
    boolean equals = j.serviceClass().importance() == k.serviceClass().importance();
    return bothBelowMargin(j, k, now) && equals && q(j, now) < q(k, now);
  }

  boolean bothBelowMargin(PaperJob j, PaperJob k, long now) {
    return q(j, now) < margin(j) && q(k, now) < margin(k);
  }

  /** Sections 3.3.2 and 4.1.2. */
  private static final Comparator<Option> RANKING =
      Comparator.<Option, Boolean>comparing(each -> !each.victims.isEmpty())
          .thenComparing(each -> each.cost)
          .thenComparing(each -> -each.score)
          .thenComparing(each -> each.toss, Comparator.reverseOrder());

  /** Section 4.1.3: sums of φ − Q, over P⁻ of each class and over P⁺. */
  long[] cost(List<PaperJob> victims, long now) {
    int plus = settings.classes.size();
    long[] tuple = new long[plus + 1];
    for (PaperJob k : victims) {
      boolean ahead = q(k, now) >= margin(k);
      tuple[ahead ? plus : settings.classes.indexOf(k.serviceClass())] += margin(k) - q(k, now);
    }
    return tuple;
  }

  /** The mean of least requested and balanced allocation. */
  double score(PaperJob j, Node h, List<PaperJob> gone) {
    DoubleSummaryStatistics use = use(j, h, gone);
    return (1 - use.getAverage() + 1 - (use.getMax() - use.getMin())) / 2;
  }
}
