package dev.berth.testkit.event;

import dev.berth.api.BagSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.time.Duration;
import java.util.Optional;

/** A call of an embedder: an event or a request for a pass. */
public sealed interface Event {

  /** Returns the time of the call. */
  long at();

  /**
   * Makes the call.
   *
   * @return the answer, if the call has one: the {@link dev.berth.api.Plan} of a pass, the {@link
   *     dev.berth.api.InstanceReport} of an instance that is done, the {@link
   *     dev.berth.api.BagReport} of a cancelled bag
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
      return "host %s joins (%s)%s%s"
          .formatted(
              spec.id(),
              spec.capacity(),
              spec.attributes().isEmpty() ? "" : " " + spec.attributes(),
              spec.timeShared() ? ", shares its CPU" : "");
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
