package dev.berth.testkit.event;

import dev.berth.api.BagSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.time.Duration;
import java.util.Optional;

/** One call of an embedder, ready to be made: an event, or a pass. */
public sealed interface Event {

  /** Returns the time of the call. */
  long at();

  /**
   * Makes the call.
   *
   * @return what came back, if it is a value: the {@link dev.berth.api.Plan} of a pass, the {@link
   *     dev.berth.api.InstanceReport} of an instance that is done, the {@link
   *     dev.berth.api.BagReport} of a bag that is taken back
   */
  Optional<Record> applyTo(EventTarget target);

  /** Returns the call in words, without its time. */
  String describe();

  /** A provider offers hosts, or changes its offer. */
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

  /** A host joins, perhaps one that was asked for. */
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

  /** A host leaves; or one that was asked for does not come up, or one given back is gone. */
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

  /** A bag of tasks is taken back by its user. */
  record BagCancelled(long at, String bagId) implements Event {

    /** What is told of it. */
    public static final Reason WHY =
        new Reason.PolicyChoice("taken-back", "its user takes it back");

    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.cancelBag(bagId, WHY, at));
    }

    @Override
    public String describe() {
      return "bag " + bagId + " is taken back";
    }
  }

  /**
   * A host says how busy it is.
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

  /** An instance is ready. */
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

  /** An instance was measured to use so much. */
  record UsageReported(long at, String instanceId, Resources used, Resources shortfall) implements Event {
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
   * @param cpuTime the CPU time that took, if it is known
   */
  record Completed(long at, String instanceId, Optional<Duration> cpuTime) implements Event {

    /** One of which the CPU time is not known. */
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

  /** A pass is asked for. */
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
