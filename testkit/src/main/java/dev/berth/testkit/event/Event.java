package dev.berth.testkit.event;

import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagSpec;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.Observation;
import dev.berth.api.ObservedInstance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.error.StaleReportException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A call of an embedder: an event or a request for a pass. */
public sealed interface Event {

  /** Returns the time of the call. */
  long at();

  /**
   * Makes the call.
   *
   * @return the answer, if the call has one: the {@link dev.berth.api.Plan} of a pass, the {@link
   *     dev.berth.api.InstanceReport} of an instance that is done, the {@link
   *     dev.berth.api.BagReport} of a cancelled bag, the {@link dev.berth.api.Rejection} of an
   *     action that was undone, the {@link dev.berth.api.Reconciliation} of what was believed
   *     wrongly, or that a report is {@link Stale}
   */
  Optional<Record> applyTo(EventTarget target);

  /** Returns a description of the call, without its time. */
  String describe();

  /** A provider offers hosts or changes its offer. */
  record PoolOffered(long at, PoolSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.offerPool(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "pool %s offers %s hosts (%s)%s"
          .formatted(
              spec.name(),
              spec.limit(),
              spec.capacity(),
              spec.attributes().isEmpty() ? "" : " " + spec.attributes());
    }
  }

  /** A host joins; possibly one that was requested from a pool. */
  record HostAdded(long at, HostSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.addHost(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host %s joins (%s)%s%s%s"
          .formatted(
              spec.id(),
              spec.capacity(),
              spec.attributes().isEmpty() ? "" : " " + spec.attributes(),
              spec.timeShared() ? ", shares its CPU" : "",
              spec.taints().isEmpty() ? "" : ", " + spec.taints());
    }
  }

  /** A host leaves, a requested host does not start, or a released host is gone. */
  record HostRemoved(long at, String hostId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.removeHost(hostId, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host " + hostId + " leaves";
    }
  }

  /** A host that is up changes its capacity, its attributes or its taints. */
  record HostChanged(long at, HostSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.changeHost(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host %s changes (%s)%s%s"
          .formatted(
              spec.id(),
              spec.capacity(),
              spec.attributes().isEmpty() ? "" : " " + spec.attributes(),
              spec.taints().isEmpty() ? "" : ", " + spec.taints());
    }
  }

  /** A host reports what others hold on it. */
  record ForeignLoadReported(long at, String hostId, Resources foreign) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.foreignLoad(hostId, foreign, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "others hold %s on %s".formatted(foreign, hostId);
    }
  }

  /** There is so much of a counted limit. */
  record LimitSet(long at, String name, long amount) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.setLimit(name, amount, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "limit %s is %s".formatted(name, amount);
    }
  }

  /** A host is cordoned. */
  record HostCordoned(long at, String hostId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.cordon(hostId, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host " + hostId + " is cordoned";
    }
  }

  /** A host is uncordoned. */
  record HostUncordoned(long at, String hostId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.uncordon(hostId, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host " + hostId + " is uncordoned";
    }
  }

  /** A host is drained. */
  record HostDrained(long at, String hostId, Drain how) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.drain(hostId, how, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host %s is drained (%s, %s, at the deadline%s %s%s)"
          .formatted(
              hostId,
              how.mode(),
              how.order(),
              how.deadline().isPresent() ? " " + how.deadline().getAsLong() : "",
              how.atDeadline(),
              how.restarted().isEmpty() ? "" : ", restarts " + how.restarted());
    }
  }

  /** A job has a disruption budget from now on. */
  record BudgetSet(long at, String job, DisruptionBudget budget) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.setBudget(job, budget, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "job %s has a budget: %s".formatted(job, budget);
    }
  }

  /** A job has no disruption budget any more. */
  record BudgetRemoved(long at, String job) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.removeBudget(job, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "job %s has no budget".formatted(job);
    }
  }

  /** A request is submitted. */
  record Submitted(long at, Request request) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.submit(request, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return request.toString().replaceFirst("request (\\S+)", "$1 is submitted");
    }
  }

  /** A request is submitted whose instance has a history. */
  record Continued(long at, Request request, History history) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.submit(request, history, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return request.toString().replaceFirst("request (\\S+)", "$1 is submitted") + ", " + history;
    }
  }

  /** A bag of tasks is submitted. */
  record BagSubmitted(long at, BagSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.submit(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "bag %s is submitted%s: %s"
          .formatted(
              spec.id(),
              spec.timeToLive().map(each -> " for " + each.toString().substring(2)).orElse(""),
              spec.requests());
    }
  }

  /** The user cancels a bag of tasks. */
  record BagCancelled(long at, String bagId) implements Event {

    /** The reason of the cancellation. */
    public static final Reason WHY =
        new Reason.PolicyChoice("cancelled-by-user", "its user cancels it");

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.cancelBag(bagId, WHY, at));
    }

    @Override
    public String describe() {
      return "bag " + bagId + " is cancelled";
    }
  }

  /** A group is submitted. */
  record GroupSubmitted(long at, GroupSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.submit(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "group %s is submitted, of which %s must start together (%s): %s"
          .formatted(spec.id(), spec.minCount(), spec.onLoss(), spec.members());
    }
  }

  /** The user cancels a group. */
  record GroupCancelled(long at, String groupId) implements Event {

    /**
     * The answer.
     *
     * @param reports what its remaining instances received, in order of admission
     */
    public record Ended(List<InstanceReport> reports) {}

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(new Ended(target.cancelGroup(groupId, at)));
    }

    @Override
    public String describe() {
      return "group " + groupId + " is cancelled";
    }
  }

  /**
   * A host reports its load.
   *
   * @param average mean number of instances that used the CPU or waited for it
   */
  record LoadReported(long at, String hostId, double average) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.loadReported(hostId, average, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host %s has a load of %s".formatted(hostId, average);
    }
  }

  /** A starting instance is ready. */
  record Started(long at, String instanceId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.started(instanceId, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return instanceId + " is ready";
    }
  }

  /** An instance failed. */
  record Failed(long at, String instanceId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.failed(instanceId, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return instanceId + " fails";
    }
  }

  /** An instance reports its usage. */
  record UsageReported(long at, String instanceId, Resources used, Resources shortfall)
      implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.usageReported(instanceId, used, shortfall, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "%s uses %s and lacks %s".formatted(instanceId, used, shortfall);
    }
  }

  /**
   * An instance completed.
   *
   * @param cpuTime its CPU time, if known
   */
  record Completed(long at, String instanceId, Optional<Duration> cpuTime) implements Event {

    /** Creates the event without a CPU time. */
    public Completed(long at, String instanceId) {
      this(at, instanceId, Optional.empty());
    }

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(
          cpuTime.isPresent()
              ? target.completed(instanceId, cpuTime.get(), at)
              : target.completed(instanceId, at));
    }

    @Override
    public String describe() {
      return instanceId
          + " completes"
          + cpuTime.map(each -> " after " + each.toString().substring(2) + " of CPU").orElse("");
    }
  }

  /** An instance is cancelled. */
  record Cancelled(long at, String instanceId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.cancel(instanceId, at));
    }

    @Override
    public String describe() {
      return instanceId + " is cancelled";
    }
  }

  /** The answer to a report that is late or doubled, and therefore has no effect. */
  record Stale() {}

  /**
   * A report about an attempt, possibly late or doubled.
   *
   * @param what what happened to the attempt
   * @param attempt the attempt
   * @param happenedAt when it happened, at most the time of the call
   */
  record AttemptReported(long at, Report what, Attempt attempt, long happenedAt) implements Event {

    /** What happened to an attempt. */
    public enum Report {
      /** It is ready. */
      STARTED,
      /** It failed. */
      FAILED,
      /** It is done. */
      COMPLETED
    }

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return unlessStale(
          () ->
              switch (what) {
                case STARTED -> {
                  target.started(attempt, happenedAt, at);
                  yield Optional.empty();
                }
                case FAILED -> {
                  target.failed(attempt, happenedAt, at);
                  yield Optional.empty();
                }
                case COMPLETED -> Optional.of(target.completed(attempt, happenedAt, at));
              });
    }

    @Override
    public String describe() {
      return "%s %s%s"
          .formatted(
              attempt,
              switch (what) {
                case STARTED -> "is ready";
                case FAILED -> "fails";
                case COMPLETED -> "completes";
              },
              happenedAt == at ? "" : ", " + (at - happenedAt) + " ns ago");
    }
  }

  /**
   * An action of a plan was not carried out.
   *
   * @param action its id
   */
  record ActionRejected(long at, ActionId action) implements Event {

    /** The reason of the rejection. */
    public static final String WHY = "the host refuses";

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return unlessStale(() -> Optional.of(target.rejected(action, WHY, at)));
    }

    @Override
    public String describe() {
      return action + " is rejected";
    }
  }

  /**
   * A fleet reports all that it has.
   *
   * @param observed what it has
   * @param fates what becomes of instances that only one of both knows
   */
  record Reconciled(long at, Observation observed, Fates fates) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.reconcile(observed, fates, at));
    }

    @Override
    public String describe() {
      return "the fleet has %s and %s%s%s%s"
          .formatted(
              observed.hosts(),
              observed.instances(),
              observed.underWay().isEmpty() ? "" : ", under way " + sorted(observed.underWay()),
              fates.ended().isEmpty() ? "" : ", ended " + sorted(fates.ended()),
              fates.adopted().isEmpty() ? "" : ", adopts " + new TreeMap<>(fates.adopted()));
    }

    private static SortedSet<String> sorted(Set<String> ids) {
      return new TreeSet<>(ids);
    }
  }

  /**
   * An instance that runs already is adopted.
   *
   * @param how its request, its admission and its service so far
   * @param seen where it is
   */
  record Adopted(long at, Adoption how, ObservedInstance seen) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.adopt(how, seen, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "%s is adopted: %s".formatted(seen, how);
    }
  }

  private static Optional<Record> unlessStale(Supplier<Optional<Record>> call) {
    try {
      return call.get();
    } catch (StaleReportException stale) {
      return Optional.of(new Stale());
    }
  }

  /** A pass is requested. */
  record PassRequested(long at) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.schedule(at));
    }

    @Override
    public String describe() {
      return "pass";
    }
  }
}
