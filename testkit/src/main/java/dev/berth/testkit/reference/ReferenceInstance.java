package dev.berth.testkit.reference;

import dev.berth.api.Backoff;
import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.InstanceReport;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.Metrics.Run;
import dev.berth.testkit.reference.Residency.Beginning;
import dev.berth.testkit.reference.Residency.Ending;
import dev.berth.testkit.reference.Residency.Spell;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One instance and its history since it came. All other figures are computed from the history on
 * demand.
 */
public final class ReferenceInstance {

  private final Request request;
  private final ServiceClass serviceClass;
  private final History before; // it was submitted or adopted
  private long waitsSince; // first
  private long delay; // of its admission, by others that it waited for
  private final Set<String> waitsFor = new LinkedHashSet<>();
  private final LongUnaryOperator unitOfQos; // of α, in its cluster
  private final int number; // in the order in which they came
  private final List<Residency> stays = new ArrayList<>();
  private OptionalLong doneAt = OptionalLong.empty();
  private int attempt;
  private int failures; // in a row
  private int earlierAttempt; // in which a fleet found it; or 0
  private long stopAfter = Long.MIN_VALUE; // since its fleet could not stop it

  ReferenceInstance(
      Request request,
      ServiceClass serviceClass,
      History before,
      int attempt,
      long submittedAt,
      LongUnaryOperator unitOfQos,
      int number) {
    this.request = request;
    this.serviceClass = serviceClass;
    this.before = before;
    this.waitsSince = submittedAt;
    this.attempt = attempt;
    this.unitOfQos = unitOfQos;
    this.number = number;
  }

  // ---- Events

  /** It starts after others. */
  void waits(Collection<String> others) {
    waitsFor.addAll(others);
  }

  /** Another instance has completed. */
  void hasCompleted(String other, long now) {
    if (waitsFor.equals(Set.of(other))) {
      goesOn(now);
    }
    waitsFor.remove(other);
  }

  /** It does not wait for others any longer. Its clock stood still. */
  private void goesOn(long now) {
    if (!waitsFor.isEmpty()) {
      delay += now - waitsSince;
      waitsSince = now;
      waitsFor.clear();
    }
  }

  void placed(HostSpec host, Resources grant, long pass, long now) {
    require(InstanceState.PENDING);
    starts(host, pass, Beginning.PLACED, grant, now);
  }

  void ready(long now) {
    require(InstanceState.STARTING);
    become(InstanceState.RUNNING, now);
  }

  void resized(Resources grant) {
    require(InstanceState.STARTING, InstanceState.RUNNING, InstanceState.PAUSED);
    replaceLast(here().with(grant));
  }

  void paused(long now) {
    require(InstanceState.RUNNING);
    become(InstanceState.PAUSED, now);
  }

  void suspended(long now) {
    require(InstanceState.RUNNING, InstanceState.PAUSED);
    become(InstanceState.SUSPENDED, now);
  }

  void resumed(Resources grant, long now) {
    require(InstanceState.PAUSED, InstanceState.SUSPENDED);
    replaceLast(here().with(grant));
    become(InstanceState.STARTING, now);
    nextAttempt();
  }

  void migrated(HostSpec host, Resources grant, long pass, long now) {
    require(InstanceState.RUNNING, InstanceState.PAUSED, InstanceState.SUSPENDED);
    leaves(now, Ending.MIGRATED);
    starts(host, pass, Beginning.MIGRATED, grant, now);
  }

  private void starts(HostSpec host, long pass, Beginning how, Resources grant, long now) {
    Spell starting = new Spell(InstanceState.STARTING, now);
    stays.add(Residency.begin(host, pass, how, grant, starting, List.of()));
    nextAttempt();
  }

  private void nextAttempt() {
    attempt++;
    earlierAttempt = 0;
  }

  /**
   * A fleet reports it on a host.
   *
   * @param inAttempt its attempt, if the fleet knows it
   * @param at since when it counts; not before the state it was believed in
   */
  void observed(HostSpec host, InstanceState seen, OptionalInt inAttempt, long at) {
    goesOn(at);
    boolean isThere = isOn(host);
    Resources grant = isThere ? granted() : request.demand();
    List<Usage> reports = isThere ? reports() : List.of();
    if (currentStay().isPresent()) {
      leaves(at, Ending.CORRECTED);
    }
    stays.add(Residency.begin(host, 0, Beginning.OBSERVED, grant, new Spell(seen, at), reports));
    isIn(inAttempt);
  }

  private void isIn(OptionalInt inAttempt) {
    inAttempt.ifPresentOrElse(
        each -> {
          earlierAttempt = each < attempt ? each : 0;
          attempt = Math.max(attempt, each);
        },
        () -> attempt = Math.max(attempt, 1));
  }

  /** It ran already when it was adopted. */
  void adopted(HostSpec host, InstanceState seen, OptionalInt inAttempt, long since) {
    stays.add(
        Residency.begin(
            host, 0, Beginning.ADOPTED, request.demand(), new Spell(seen, since), List.of()));
    isIn(inAttempt);
  }

  void used(Usage report) {
    replaceLast(here().with(report));
  }

  void leaves(long now, Ending why) {
    forgetFailures(now);
    replaceLast(here().end(now, why));
  }

  void done(long now) {
    if (currentStay().isPresent()) {
      leaves(now, Ending.DONE);
    }
    require(InstanceState.PENDING);
    goesOn(now);
    doneAt = OptionalLong.of(now);
  }

  void stopAfter(long time) {
    stopAfter = time;
  }

  void countFailure() {
    failures++;
  }

  /** Returns whether it has run for so long that a failure does not count. */
  boolean isForgiven(long now) {
    return state() == InstanceState.RUNNING
        && now - stateSince() >= Backoff.FORGIVEN_AFTER.toNanos();
  }

  private void forgetFailures(long now) {
    if (isForgiven(now)) {
      failures = 0;
    }
  }

  private void become(InstanceState state, long now) {
    forgetFailures(now);
    replaceLast(here().becomes(state, now));
  }

  private Residency here() {
    return currentStay().orElseThrow();
  }

  private void replaceLast(Residency stay) {
    stays.set(stays.size() - 1, stay);
  }

  private void require(InstanceState... allowed) {
    if (!List.of(allowed).contains(state())) {
      throw new IllegalArgumentException(
          "instance %s is %s, must be %s."
              .formatted(
                  id(),
                  state(),
                  Stream.of(allowed).map(Enum::name).collect(Collectors.joining(" or "))));
    }
  }

  // ---- Derived from the history

  /** Returns the id of its request. */
  public String id() {
    return request.id();
  }

  /** Returns the request it serves. */
  public Request request() {
    return request;
  }

  int number() {
    return number;
  }

  /** Returns its class. */
  public ServiceClass serviceClass() {
    return serviceClass;
  }

  /** Returns when its request was admitted. */
  public long admittedAt() {
    return before.admittedAt() + delay;
  }

  /** Returns the ids of those that must complete before it starts. */
  public Set<String> waitsFor() {
    return Set.copyOf(waitsFor);
  }

  /** Returns the stay that has not ended, if it is on a host. */
  public Optional<Residency> currentStay() {
    return lastStay().filter(Residency::current);
  }

  private Optional<Residency> lastStay() {
    return stays.isEmpty() ? Optional.empty() : Optional.of(stays.get(stays.size() - 1));
  }

  /** Returns its state. */
  public InstanceState state() {
    if (doneAt.isPresent()) {
      return InstanceState.DONE;
    }
    return currentStay().map(stay -> stay.latest().state()).orElse(InstanceState.PENDING);
  }

  /** Returns when it came into its present state. */
  public long stateSince() {
    if (doneAt.isPresent() || stays.isEmpty()) {
      return doneAt.orElse(waitsSince);
    }
    Residency last = stays.get(stays.size() - 1);
    return last.leftAt().orElse(last.latest().since());
  }

  /** Returns the id of the host it is on, if any. */
  public Optional<String> hostId() {
    return currentStay().map(Residency::hostId);
  }

  /** Returns whether it is on a host, holding something there or not. */
  public boolean isOn(HostSpec host) {
    return !stays.isEmpty() && stays.get(stays.size() - 1).isOn(host.id());
  }

  /** Returns its grant; its demand while it is on no host. */
  public Resources granted() {
    return currentStay().map(Residency::granted).orElse(request.demand());
  }

  /**
   * Returns how much of a dimension it holds: its grant while it starts and runs; the same without
   * the CPU while it is paused and on a time-shared host; otherwise nothing.
   */
  public long held(Dimension dimension) {
    if (isCpu(dimension) && currentStay().filter(Residency::timeShared).isPresent()) {
      return 0;
    }
    return switch (state()) {
      case STARTING, RUNNING -> granted().amount(dimension);
      case PAUSED -> isCpu(dimension) ? 0 : granted().amount(dimension);
      case PENDING, SUSPENDED, DONE -> 0;
    };
  }

  /** The CPU is known by its name, on whatever scale. */
  private static boolean isCpu(Dimension dimension) {
    return dimension.name().equals(Dimension.CPU.name());
  }

  /** Returns its usage reports on its current host, oldest first. */
  public List<Usage> reports() {
    return currentStay().map(Residency::reports).orElse(List.of());
  }

  /** Returns the periods in service up to now. Of those in its history, only the sum counts. */
  public List<Run> runs(long now) {
    List<Run> runs = new ArrayList<>();
    if (!before.served().isZero()) {
      runs.add(new Run(0, before.served().toNanos()));
    }
    stays.forEach(each -> runs.addAll(each.runs(now)));
    return runs;
  }

  /** Returns e (section 3.1). */
  public long serviceTime(long now) {
    return Metrics.serviceTime(runs(now));
  }

  /**
   * Returns when its longest run time is over, or when it is to be stopped again; empty if it does
   * not run or may run for ever.
   */
  public OptionalLong stopsAt() {
    if (state() != InstanceState.RUNNING || request.maxRunTime().isEmpty()) {
      return OptionalLong.empty();
    }
    BigInteger end =
        BigInteger.valueOf(stateSince()).add(BigInteger.valueOf(request.maxRunTime().getAsLong()));
    if (!request.losesProgress()) {
      end = end.subtract(BigInteger.valueOf(serviceTime(stateSince())));
    }
    long at = end.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    return OptionalLong.of(Math.max(Math.max(at, stateSince()), stopAfter));
  }

  /** Returns p (section 3.1): all time that is not service. */
  public long waitingTime(long now) {
    long until = waitsFor.isEmpty() ? doneAt.orElse(now) : waitsSince;
    return until - admittedAt() - serviceTime(now);
  }

  /**
   * Returns Q (Eqs. 2 to 7) for an expected overhead α, in {@linkplain #unitOfQos units}, while it
   * is not done.
   */
  public long qos(long now, long alpha) {
    return qos(now, alpha, unitOfQos(alpha));
  }

  /**
   * Returns Q for an expected overhead α, in a given unit, while it is not done.
   *
   * @param unit nanoseconds; a power of two
   */
  public long qos(long now, long alpha, long unit) {
    List<Run> runs = runs(now);
    if (unit > 1) {
      return qos(runs, now, alpha, unit).longValueExact();
    }
    long e = Metrics.serviceTime(runs);
    long p = now - admittedAt() - e;
    return Metrics.qos(Metrics.earned(runs, serviceClass.slo()), e, p, alpha);
  }

  /** Returns Q in nanoseconds, for any life. */
  public BigInteger exactQos(long now, long alpha) {
    return qos(runs(now), now, alpha, 1);
  }

  private BigInteger qos(List<Run> runs, long now, long alpha, long unit) {
    boolean isRunning = state() == InstanceState.RUNNING;
    return Metrics.qos(runs, isRunning, serviceClass.slo(), admittedAt(), now, alpha, unit);
  }

  /** Returns φ, the safety margin of its class, in the same units as Q; rounded down. */
  public long safetyMargin(long alpha) {
    return Math.floorDiv(serviceClass.safetyMargin().toNanos(), unitOfQos(alpha));
  }

  /** Returns the unit of Q in its cluster, in nanoseconds; see {@link Metrics#unitOfQos}. */
  public long unitOfQos(long alpha) {
    return unitOfQos.applyAsLong(alpha);
  }

  /**
   * Returns S (section 3.5.2): the measured preparation times of placements that directly follow a
   * preemption or an eviction. A placement that never became ready was not measured. Starts after a
   * failure, a resumption or a migration do not count. A restart that a fleet reports to be still
   * starting elsewhere counts from there.
   */
  public long restartOverhead() {
    long sum = before.restartOverhead().toNanos();
    boolean isRestart = false;
    for (int i = 0; i < stays.size(); i++) {
      Residency stay = stays.get(i);
      isRestart = i == 0 ? isRestart(stay) : isRestart(stay, stays.get(i - 1), isRestart);
      if (isRestart && stay.readyAt().isPresent()) {
        sum += stay.readyAt().getAsLong() - stay.since();
      }
    }
    return sum;
  }

  /** Returns its history, to submit its request again. */
  public History history(long now) {
    return new History(
        admittedAt(),
        Duration.ofNanos(serviceTime(now)),
        Duration.ofNanos(restartOverhead()),
        placements(),
        preemptions(),
        migrations(),
        attempt,
        restarting());
  }

  /** Returns whether its next start, or the one under way, is a restart. */
  private boolean restarting() {
    return switch (state()) {
      case PENDING ->
          lastStay()
              .map(it -> it.ended(Ending.PREEMPTED) || it.ended(Ending.EVICTED))
              .orElse(before.restarting());
      case STARTING -> lastIsRestart() && here().readyAt().isEmpty();
      case RUNNING, PAUSED, SUSPENDED, DONE -> false;
    };
  }

  private boolean lastIsRestart() {
    boolean isRestart = false;
    for (int i = 0; i < stays.size(); i++) {
      isRestart =
          i == 0 ? isRestart(stays.get(0)) : isRestart(stays.get(i), stays.get(i - 1), isRestart);
    }
    return isRestart;
  }

  private boolean isRestart(Residency first) {
    return before.restarting()
        && first.beginning() != Beginning.OBSERVED
        && first.spells().get(0).state() == InstanceState.STARTING;
  }

  private static boolean isRestart(Residency stay, Residency former, boolean wasRestart) {
    return switch (stay.beginning()) {
      case PLACED -> former.ended(Ending.PREEMPTED) || former.ended(Ending.EVICTED);
      case OBSERVED ->
          wasRestart
              && former.readyAt().isEmpty()
              && stay.spells().get(0).state() == InstanceState.STARTING;
      case MIGRATED, ADOPTED -> false;
    };
  }

  /** Returns C (Eq. 8). */
  public double preemptionOverhead(long now) {
    return Metrics.preemptionOverhead(restartOverhead(), serviceTime(now));
  }

  /** Returns how often it was preempted. */
  public int preemptions() {
    return before.preemptions()
        + (int) stays.stream().filter(stay -> stay.ended(Ending.PREEMPTED)).count();
  }

  /** Returns how often it was placed. */
  public int placements() {
    long placed = stays.stream().filter(it -> it.beginning() == Beginning.PLACED).count();
    boolean isAdopted =
        !stays.isEmpty() && stays.get(0).beginning() == Beginning.ADOPTED; // its history has that
    return (isAdopted ? Math.max(1, before.placements()) : before.placements()) + (int) placed;
  }

  /** Returns how often it moved from one host to another. */
  public int migrations() {
    return before.migrations()
        + (int) stays.stream().filter(stay -> stay.beginning() == Beginning.MIGRATED).count();
  }

  /**
   * Returns how often it was told to start: by each placement, resumption and migration, or as a
   * fleet reports it.
   */
  public int attempt() {
    return attempt;
  }

  /** Returns its failures in a row. */
  public int failures() {
    return failures;
  }

  /** Returns the attempt that it is in: the latest, unless a fleet reports an earlier one. */
  public int presentAttempt() {
    return earlierAttempt == 0 ? attempt : earlierAttempt;
  }

  /** Returns its snapshot at a time, while it is not done. */
  public InstanceSnapshot standing(long now) {
    return new InstanceSnapshot(
        id(),
        state(),
        stateSince(),
        hostId(),
        serviceTime(now),
        waitingTime(now),
        preemptions(),
        placements(),
        restartOverhead(),
        Optional.of(granted()).filter(each -> !each.equals(request.demand())),
        migrations());
  }

  InstanceReport sli() {
    return report(doneAt.orElseThrow());
  }

  /** Returns its report if it ends at a time. */
  public InstanceReport report(long end) {
    return new InstanceReport(
        id(),
        serviceClass,
        admittedAt(),
        end,
        serviceTime(end),
        waitingTime(end),
        preemptions(),
        placements(),
        restartOverhead());
  }

  @Override
  public String toString() {
    return id() + " " + state() + currentStay().map(stay -> " on " + stay.hostId()).orElse("");
  }
}
