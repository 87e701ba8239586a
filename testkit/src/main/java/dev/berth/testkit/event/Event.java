package dev.berth.testkit.event;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.Optional;

/** One call of an embedder, ready to be made: an event, or a pass. */
public sealed interface Event {

  /** Returns the time of the call. */
  long at();

  /**
   * Makes the call.
   *
   * @return what came back, if it is a value: the {@link dev.berth.api.Plan} of a pass, the {@link
   *     dev.berth.api.Sli} of an instance that is done
   */
  Optional<Record> applyTo(EventTarget target);

  /** Returns the call in words, without its time. */
  String describe();

  /** A host joins. */
  record HostJoins(long at, HostSpec spec) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.addHost(spec, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "host %s joins (%s)%s"
          .formatted(
              spec.id(),
              spec.capacity(),
              spec.attributes().isEmpty() ? "" : " " + spec.attributes());
    }
  }

  /** A host leaves. */
  record HostLeaves(long at, String hostId) implements Event {
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

  /** An instance is ready. */
  record Ready(long at, String instanceId) implements Event {
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
  record Used(long at, String instanceId, Resources used, Resources shortfall) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      target.used(instanceId, used, shortfall, at);
      return Optional.empty();
    }

    @Override
    public String describe() {
      return "%s uses %s and lacks %s".formatted(instanceId, used, shortfall);
    }
  }

  /** An instance completed. */
  record Completed(long at, String instanceId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.completed(instanceId, at));
    }

    @Override
    public String describe() {
      return instanceId + " completes";
    }
  }

  /** An instance is cancelled. */
  record Cancelled(long at, String instanceId) implements Event {
    @Override
    public Optional<Record> applyTo(EventTarget target) {
      return Optional.of(target.cancelled(instanceId, at));
    }

    @Override
    public String describe() {
      return instanceId + " is cancelled";
    }
  }

  /** A pass is asked for. */
  record PassRuns(long at) implements Event {
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
