package dev.berth.policies.qos.reference;

import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.policy.Completion;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.Metrics;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScore;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * The policy {@code qos-attained}, of decision 30. It keeps a list of what completed, and of what
 * was present when it last looked, and derives the rest from them. It forgets nothing, so it is a
 * model for fewer than 4,096 completions of a class, and for 1,024 applications and users.
 */
public final class QosAttained implements ReferencePolicy {

  /** Which run times it expects of single instances. */
  public enum Estimates {
    /** None. */
    IGNORE(0),
    /** The estimates of requests. */
    USE(1),
    /** Those, or the mean of the last two instances of the application, or of the user. */
    LEARN(2);

    private final int sources;

    Estimates(int sources) {
      this.sources = sources;
    }
  }

  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final int STEPS = 104;
  private static final int FEW = 16; // completions

  /** Where values of instances that lose their progress begin, and within how much they begin. */
  private static final long LAST = -(1L << 60);

  private static final long ERA = 1L << 58;

  private static final Comparator<ReferenceInstance> ADMISSION =
      Comparator.comparingLong(ReferenceInstance::admittedAt).thenComparing(ReferenceInstance::id);

  private static final BigDecimal NEVER = BigDecimal.valueOf(1L << 61);

  private static final long[] BEGINS = new long[STEPS];

  static {
    Arrays.setAll(BEGINS, step -> (long) ((double) MINUTE * (StrictMath.pow(2, step / 4.0) - 1)));
  }

  private final long price;
  private final Estimates estimates;
  private final ReferenceScore allocationScore;
  private final List<Completed> completed; // in all passes so far
  private final Optional<Known> known; // empty before the first pass

  /**
   * The policy before its first pass.
   *
   * @param price nanoseconds, from 0 to 365 days
   * @param estimates which run times it expects of single instances
   * @param allocationScore the allocation score
   */
  public QosAttained(long price, Estimates estimates, ReferenceScore allocationScore) {
    this(price, estimates, allocationScore, List.of(), Optional.empty());
  }

  private QosAttained(
      long price,
      Estimates estimates,
      ReferenceScore allocationScore,
      List<Completed> completed,
      Optional<Known> known) {
    this.price = price;
    this.estimates = estimates;
    this.allocationScore = allocationScore;
    this.completed = completed;
    this.known = known;
  }

  // ---- What it learns

  /**
   * An instance that completed.
   *
   * @param expected what was expected of it, by source; 0 for nothing
   */
  private record Completed(Completion it, List<Long> expected) {}

  /** An instance that was there, and what it had attained and was expected to. */
  private record Present(String serviceClass, long attained, List<Long> expected) {}

  /**
   * What it knows since it last looked.
   *
   * @param longestWaiting those that no equal overtakes: classes, ids, and when they were admitted
   * @param tables by class and source, once they were asked for
   * @param sources the one that counts, by class, once it was asked for
   */
  private record Known(
      long firstPass,
      long until,
      List<Completed> completed,
      List<Present> present,
      List<List<Object>> longestWaiting,
      Map<List<Object>, Table> tables,
      Map<String, Integer> sources) {

    Known(
        long firstPass,
        long until,
        List<Completed> completed,
        List<Present> present,
        List<List<Object>> longestWaiting) {
      this(firstPass, until, completed, present, longestWaiting, new HashMap<>(), new HashMap<>());
    }
  }

  @Override
  public QosAttained learning(
      List<Completion> completions, List<ReferenceInstance> present, long now) {
    List<Completed> all = new ArrayList<>(completed);
    completions.forEach(each -> all.add(new Completed(each, expected(each.request()))));
    QosAttained same = new QosAttained(price, estimates, allocationScore, List.copyOf(all), known);
    if (known.isPresent() && now < known.get().until) {
      return same;
    }
    long first = known.map(Known::firstPass).orElse(now);
    long until = now + Math.max(MINUTE, Math.min(HOUR, (now - first) / 4));
    QosAttained wiser = same.knowing(new Known(first, until, all, List.of(), List.of()));
    List<Present> there =
        present.stream()
            .map(
                it ->
                    new Present(
                        it.serviceClass().name(), attained(it, now), wiser.expected(it.request())))
            .toList();
    QosAttained wisest = same.knowing(new Known(first, until, all, there, List.of()));
    return same.knowing(new Known(first, until, all, there, wisest.longestWaiting(present, now)));
  }

  /** Returns, of each class, the first that has waited for a long time and is likely to end. */
  private List<List<Object>> longestWaiting(List<ReferenceInstance> present, long now) {
    Map<String, ReferenceInstance> first = new HashMap<>();
    for (ReferenceInstance it : present) {
      BigDecimal ofNew = table(it.serviceClass(), -1).at(0, HOUR).rank;
      BigDecimal waited = BigDecimal.valueOf(now - it.admittedAt() - it.serviceTime(now));
      if (waited.compareTo(ofNew.scaleByPowerOfTen(2)) >= 0 && outlook(it, now).ends) {
        first.merge(it.serviceClass().name(), it, BinaryOperator.minBy(ADMISSION));
      }
    }
    return first.values().stream().map(QosAttained::life).toList();
  }

  private QosAttained knowing(Known what) {
    return new QosAttained(price, estimates, allocationScore, completed, Optional.of(what));
  }

  private static long attained(ReferenceInstance it, long now) {
    if (!it.request().losesProgress()) {
      return it.serviceTime(now);
    }
    return it.state() == InstanceState.RUNNING ? now - it.stateSince() : 0;
  }

  /** Returns what is expected of an instance, by source, in nanoseconds; 0 for nothing. */
  private List<Long> expected(Request request) {
    long estimate = request.estimatedRunTime().orElse(0);
    return switch (estimates) {
      case IGNORE -> List.of();
      case USE -> List.of(estimate);
      case LEARN -> List.of(estimate, meanOfLastTwo(request));
    };
  }

  private long meanOfLastTwo(Request request) {
    List<Long> alike =
        known.map(Known::completed).orElse(List.of()).stream()
            .map(Completed::it)
            .filter(each -> isAlike(each.request(), request))
            .map(Completion::serviceTime)
            .toList();
    int size = alike.size();
    if (size < 2 || alike.get(size - 2) == 0) {
      return 0;
    }
    return Math.max(1, alike.get(size - 1) / 2 + alike.get(size - 2) / 2);
  }

  private static boolean isAlike(Request one, Request other) {
    boolean known = one.application().isPresent() || other.application().isPresent();
    return known
        ? one.application().equals(other.application())
        : one.user().isPresent() && one.user().equals(other.user());
  }

  // ---- What that tells

  /** Returns when a step begins: step i at a minute, times 2^(i/4) - 1. */
  private static long begin(int step) {
    return BEGINS[step];
  }

  private static int step(long service) {
    int step = 0;
    while (step + 1 < STEPS && begin(step + 1) <= service) {
      step++;
    }
    return step;
  }

  private static int step(BigDecimal service) {
    return step(service.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
  }

  /** Returns what a service is if an hour is expected; as rounded as the policy has it. */
  private static long ofAnHour(long service, long expected) {
    return (long) ((double) service / (double) expected * (double) HOUR);
  }

  /** A service, or what it was if an hour was expected. */
  private record Served(long time, int step) {}

  /**
   * The services of a class.
   *
   * @param falls whether the rank of an instance falls as its end comes nearer
   * @param done of the instances that completed
   * @param present of those that are not done
   * @param known what it says, by step and expected service, once it was asked
   */
  private record Table(
      Slo slo,
      boolean falls,
      List<Served> done,
      List<Served> present,
      Map<List<Long>, Outlook> known) {

    /**
     * Returns what it says of an instance.
     *
     * @param expected the service that is expected of it; an hour if nothing is
     */
    Outlook at(int step, long expected) {
      return known.computeIfAbsent(
          List.of((long) step, expected),
          any -> new Outlook(rank(step, expected), ends(step), overdue(step, expected)));
    }

    /** Returns a time for an instance of which so much is expected. */
    private static BigDecimal scaled(BigDecimal time, long expected, long divisor) {
      return time.multiply(BigDecimal.valueOf(expected))
          .divide(
              BigDecimal.valueOf(HOUR).multiply(BigDecimal.valueOf(divisor)),
              MathContext.DECIMAL128);
    }

    private static int from(int step, List<Served> all) {
      int count = 0;
      for (Served each : all) {
        count += each.step >= step ? 1 : 0;
      }
      return count;
    }

    /** Returns the greatest remaining service so far; at least the attained, if it never ends. */
    private BigDecimal rank(int step, long expected) {
      BigDecimal rank = remaining(step, expected);
      for (int earlier = 0; earlier < step && !falls; earlier++) {
        rank = rank.max(remaining(earlier, expected));
      }
      return ends(step) ? rank : rank.max(scaled(BigDecimal.valueOf(begin(step)), expected, 1));
    }

    /**
     * Returns what was left on average, to whole seconds, if one more had as much left as served.
     */
    private BigDecimal remaining(int step, long expected) {
      BigDecimal begin = BigDecimal.valueOf(begin(step));
      BigDecimal sum = begin.add(BigDecimal.valueOf(MINUTE));
      for (Served each : done) {
        if (each.step >= step) {
          sum = sum.add(BigDecimal.valueOf(each.time / SECOND * SECOND)).subtract(begin);
        }
      }
      return scaled(sum, expected, from(step, done) + 1);
    }

    /** Returns whether more than a tenth of those that attained as much have ended. */
    private boolean ends(int step) {
      int longer = from(step, done);
      return 10 * longer > longer + from(step, present) + 1;
    }

    /** Returns by how much an objective may be missed; empty if it can always be met again. */
    private Optional<BigDecimal> overdue(int step, long expected) {
      int later = step;
      while (later < STEPS && 2 * from(later, done) >= from(step, done)) {
        later++;
      }
      if (later == STEPS || slo.partsPerBillion() == SECOND) {
        return Optional.empty();
      }
      BigDecimal lost =
          BigDecimal.valueOf(begin(later) - begin(step))
              .multiply(BigDecimal.valueOf(SECOND - slo.partsPerBillion()));
      return Optional.of(scaled(lost, expected, slo.partsPerBillion()))
          .filter(it -> it.compareTo(NEVER) < 0)
          .filter(it -> scaled(lost, HOUR, slo.partsPerBillion()).compareTo(NEVER) < 0);
    }

    /** Returns whether the steps clearly vary less than others; that of few is not known. */
    boolean isSharperThan(Table other) {
      Optional<BigDecimal> ours = variance();
      Optional<BigDecimal> theirs =
          other.variance().map(it -> it.multiply(BigDecimal.valueOf(0.75)));
      return ours.isPresent() && (theirs.isEmpty() || ours.get().compareTo(theirs.get()) < 0);
    }

    private Optional<BigDecimal> variance() {
      long n = done.size();
      long sum = 0;
      long squares = 0;
      for (Served each : done) {
        sum += each.step;
        squares += (long) each.step * each.step;
      }
      return n < FEW
          ? Optional.empty()
          : Optional.of(
              BigDecimal.valueOf(n * squares - sum * sum)
                  .divide(BigDecimal.valueOf(n * n), MathContext.DECIMAL128));
    }
  }

  /**
   * What is expected of an instance.
   *
   * @param overdue by how much it may miss its objective until it is beyond rescue, nanoseconds
   */
  private record Outlook(BigDecimal rank, boolean ends, Optional<BigDecimal> overdue) {

    int level() {
      return step(rank) / 2;
    }
  }

  private Outlook outlook(ReferenceInstance it, long now) {
    int source = source(it.serviceClass());
    long expected = source < 0 ? 0 : expected(it.request()).get(source);
    BigDecimal attained = BigDecimal.valueOf(attained(it, now));
    if (expected == 0) {
      return table(it.serviceClass(), -1).at(step(attained), HOUR);
    }
    BigDecimal ofAnHour =
        attained
            .multiply(BigDecimal.valueOf(HOUR))
            .divide(BigDecimal.valueOf(expected), MathContext.DECIMAL128);
    return table(it.serviceClass(), source).at(step(ofAnHour), expected);
  }

  /** Returns the source that was right most often, if it says more than the class; or -1. */
  private int source(ServiceClass its) {
    return known.orElseThrow().sources.computeIfAbsent(its.name(), any -> sharpestSource(its));
  }

  private int sharpestSource(ServiceClass its) {
    int best = -1;
    for (int source = 0; source < estimates.sources; source++) {
      if (table(its, source).isSharperThan(table(its, best))) {
        best = source;
      }
    }
    return best;
  }

  private Table table(ServiceClass its, int source) {
    Known then = known.orElseThrow();
    return then.tables.computeIfAbsent(
        List.of(its.name(), source),
        any ->
            new Table(
                its.slo(),
                source >= 0,
                then.completed.stream()
                    .filter(each -> each.it.serviceClass().name().equals(its.name()))
                    .flatMap(each -> served(each.it.serviceTime(), each.expected, source).stream())
                    .toList(),
                then.present.stream()
                    .filter(each -> each.serviceClass.equals(its.name()))
                    .flatMap(each -> served(each.attained, each.expected, source).stream())
                    .toList(),
                new HashMap<>()));
  }

  private static Optional<Served> served(long service, List<Long> expected, int source) {
    if (source < 0) {
      return Optional.of(new Served(service, step(service)));
    }
    return Optional.of(expected.get(source))
        .filter(each -> each > 0)
        .map(each -> ofAnHour(service, each))
        .map(each -> new Served(each, step(each)));
  }

  // ---- What it decides

  /** By importance; first those that have waited longest; by rescue, level and admission. */
  @Override
  public Comparator<ReferenceInstance> queueOrder(long now) {
    return Comparator.<ReferenceInstance>comparingInt(each -> each.serviceClass().importance())
        .thenComparing(each -> !hasWaitedLongest(each))
        .thenComparing(each -> !hasWaitedLongest(each) && isBeyondRescue(each, now))
        .thenComparingInt(each -> level(each, now))
        .thenComparing(ADMISSION);
  }

  /** Decreasing value. */
  @Override
  public Comparator<ReferenceInstance> victimOrder(long now) {
    return Comparator.<ReferenceInstance>comparingLong(each -> value(each, now)).reversed();
  }

  /**
   * Returns the slack; of one that would lose its progress, far less, the more the earlier it
   * started in its era of nine years. It grows as slack does.
   */
  private long value(ReferenceInstance it, long now) {
    long unit = unit(it);
    if (it.state() != InstanceState.RUNNING || !it.request().losesProgress()) {
      return it.qos(now, 0, unit);
    }
    long era = Math.floorDiv(it.stateSince(), ERA) * ERA;
    Slo slo = it.serviceClass().slo();
    BigInteger gain = Metrics.gain(slo, now, unit).subtract(Metrics.gain(slo, era, unit));
    return LAST + (it.stateSince() - era) / unit + gain.longValueExact();
  }

  @Override
  public Verdict judge(ReferenceInstance j, ReferenceInstance k, long now) {
    int rankJ = j.serviceClass().importance(); // 1 is the most important
    int rankK = k.serviceClass().importance();
    long priceInUnits = Math.floorDiv(price, unit(k));
    long valueJ = value(j, now);
    long valueK = value(k, now);
    boolean kBeyondMargin = valueK > margin(k);
    if (rankJ < rankK) {
      boolean inNeed = valueJ < margin(j) + priceInUnits;
      return inNeed || kBeyondMargin ? Verdict.RULE_B : Verdict.NO_RULE;
    }
    Outlook its = outlook(k, now);
    Verdict verdict = Verdict.NO_RULE;
    if (rankJ == rankK
        && its.level() > level(j, now)
        && ((kBeyondMargin && valueK > valueJ)
            || (its.ends && isBeyondRescue(k, now) && !hasWaitedLongest(k)))) {
      verdict = Verdict.RULE_G;
    } else if (!its.ends
        && valueJ < margin(j)
        && valueK > margin(k) + priceInUnits
        && valueK > valueJ + priceInUnits) {
      verdict = Verdict.RULE_S;
    }
    if (!verdict.allowed() || rankJ > rankK) {
      return verdict;
    } else if (k.request().losesProgress()) {
      return Verdict.LOSES_PROGRESS;
    }
    boolean sameClass = j.serviceClass().name().equals(k.serviceClass().name());
    boolean overLimit = k.preemptionOverhead(now) > k.serviceClass().preemptionOverheadLimit();
    if (sameClass && overLimit) {
      return Verdict.OVER_LIMIT;
    }
    boolean mayYield =
        verdict == Verdict.RULE_G ? hasRunFor(k, now, 0, 20) : hasRunFor(k, now, MINUTE, 5);
    return mayYield ? verdict : Verdict.WITHIN_QUANTUM;
  }

  /** Returns whether it has run for a time and a part of its earlier service. */
  private static boolean hasRunFor(ReferenceInstance k, long now, long least, long part) {
    return now - k.stateSince() >= least + k.serviceTime(k.stateSince()) / part;
  }

  private int level(ReferenceInstance it, long now) {
    return hasWaitedLongest(it) ? 0 : outlook(it, now).level();
  }

  private boolean hasWaitedLongest(ReferenceInstance it) {
    return known.orElseThrow().longestWaiting.contains(life(it));
  }

  /** Returns what tells an instance from an earlier one of the same id. */
  private static List<Object> life(ReferenceInstance it) {
    return List.of(it.serviceClass().name(), it.id(), it.admittedAt());
  }

  private boolean isBeyondRescue(ReferenceInstance it, long now) {
    return outlook(it, now)
        .overdue
        .map(each -> value(it, now) < -Math.floorDiv(each.longValue(), unit(it)))
        .orElse(false);
  }

  @Override
  public void tally(ReferenceInstance queued, long now, CaseCoverage coverage) {
    coverage.count(Mark.RUN_TIME_EXPECTED, isExpected(queued));
    coverage.count(Mark.BEYOND_RESCUE, isBeyondRescue(queued, now));
    coverage.count(Mark.WAITED_LONGEST, hasWaitedLongest(queued));
  }

  /** Returns whether a run time is expected of an instance alone. */
  private boolean isExpected(ReferenceInstance it) {
    int source = source(it.serviceClass());
    return source >= 0 && expected(it.request()).get(source) > 0;
  }

  @Override
  public List<Double> preemptionCost(
      List<ReferenceInstance> victims, List<ServiceClass> serviceClasses, long now) {
    List<Double> tuple = new ArrayList<>();
    for (ServiceClass each : serviceClasses) {
      double sum = 0;
      for (ReferenceInstance k : victims) {
        if (k.serviceClass().name().equals(each.name())) {
          sum += value(k, now) > margin(k) ? 0.5 : 1;
        }
      }
      tuple.add(sum);
    }
    double sum = 0;
    for (ReferenceInstance k : victims) {
      sum -= (double) value(k, now);
    }
    tuple.add(sum);
    return tuple;
  }

  /** φ. */
  private long margin(ReferenceInstance instance) {
    return instance.safetyMargin(price);
  }

  private long unit(ReferenceInstance instance) {
    return instance.unitOfQos(price);
  }

  /** Returns by how much a victim that does not end must be ahead. */
  public Duration price() {
    return Duration.ofNanos(price);
  }

  /** Returns which run times it expects of single instances. */
  public Estimates estimates() {
    return estimates;
  }

  @Override
  public ReferenceScore allocationScore() {
    return allocationScore;
  }

  @Override
  public boolean minimizeVictims() {
    return true;
  }

  @Override
  public boolean preemptStarting() {
    return false;
  }

  @Override
  public String toString() {
    return "QosAttained[price=%s, estimates=%s, allocationScore=%s]"
        .formatted(price(), estimates, allocationScore);
  }
}
