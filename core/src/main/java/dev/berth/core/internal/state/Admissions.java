package dev.berth.core.internal.state;

import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.TimeLimits;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.group.GroupRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The events that admit and adopt instances. An event that is refused or fails changes nothing. */
public final class Admissions {

  private final ClusterState state;
  private final Transitions transitions;

  Admissions(ClusterState state, Transitions transitions) {
    this.state = state;
    this.transitions = transitions;
  }

  /** Admits a request, perhaps one that continues a history; its instance is pending. */
  public Instance submit(Request request, Optional<History> history, long time) {
    if (history.isPresent()) {
      requireNew(request);
      state.requireNotPast(time, "request ", request.id(), " is submitted");
      requireLived(request.id(), history.get(), time);
    }
    return admit(request, null, null, history.orElse(null), time);
  }

  /** Refuses a history that does not fit into the time up to now. */
  private static void requireLived(String id, History history, long time) {
    long admittedAt = history.admittedAt();
    if (admittedAt > time || admittedAt < TimeLimits.EARLIEST) {
      throw Code.INVALID_TIME.refusal(
          "request %s is submitted at %s ns, but was admitted at %s ns, must be from %s ns up to then. Maybe submit it without a history.",
          id, time, admittedAt, TimeLimits.EARLIEST);
    }
    Duration life = Duration.ofNanos(time).minusNanos(admittedAt);
    if (life.compareTo(TimeLimits.LONGEST_LIFE) > 0) {
      throw Code.INVALID_TIME.refusal(
          "request %s is submitted at %s ns, but was admitted at %s ns, must be at most %s days before.",
          id, time, admittedAt, TimeLimits.LONGEST_LIFE.toDays());
    }
    if (exceeds(history, life)) {
      throw Code.INVALID_VALUE.refusal(
          "request %s is submitted with a service of %s and restarts of %s, must be at most the %s since its admission.",
          id, history.served(), history.restartOverhead(), life);
    }
  }

  /** Returns whether service and restarts do not fit into a time. */
  private static boolean exceeds(History history, Duration time) {
    Duration served = history.served();
    return served.compareTo(time) > 0
        || history.restartOverhead().compareTo(time.minus(served)) > 0;
  }

  /** Refuses an adoption that is not possible. */
  void requireAdoptable(Adoption how, ObservedInstance seen, long time) {
    Request request = how.request();
    String id = request.id();
    if (!id.equals(seen.id())) {
      throw new EventRefusedException(
          Code.INVALID_VALUE,
          id,
          "instance %s is adopted for request %s, must have its id.".formatted(seen.id(), id));
    }
    requireNew(request);
    state.requireNotPast(time, "instance ", id, " is adopted");
    long since = seen.since().orElse(time);
    long admittedAt = how.history().admittedAt();
    if (since > time || admittedAt > since || admittedAt < TimeLimits.EARLIEST) {
      throw Code.INVALID_TIME.refusal(
          "instance %s is adopted at %s ns, admitted at %s ns and %s since %s ns, must be in this order reversed and from %s ns on.",
          id, time, admittedAt, seen.state(), since, TimeLimits.EARLIEST);
    }
    Duration most = Duration.ofNanos(since).minusNanos(admittedAt);
    if (exceeds(how.history(), most)) {
      throw Code.INVALID_VALUE.refusal(
          "instance %s is adopted with a service of %s%s, but it was admitted only %s before it was %s.",
          id,
          how.history().served(),
          how.history().restartOverhead().isZero()
              ? ""
              : " and restarts of " + how.history().restartOverhead(),
          most,
          seen.state());
    }
    if (Duration.ofNanos(time).minusNanos(admittedAt).compareTo(TimeLimits.LONGEST_LIFE) > 0) {
      throw Code.INVALID_TIME.refusal(
          "instance %s is adopted at %s ns, but was admitted at %s ns, more than %s days before.",
          id, time, admittedAt, TimeLimits.LONGEST_LIFE.toDays());
    }
  }

  private void requireCountable(HostRecord host, Request request) {
    for (Dimension each : request.demand().dimensions()) {
      int number = state.table().numberOf(each);
      long free = number < 0 ? 0 : state.table().free(host.slot(), number);
      if (free <= Long.MIN_VALUE + request.demand().amount(each)) {
        throw Code.TOO_LARGE.refusal(
            "instance %s is adopted on host %s, which would hold more than 2^63 units of %s.",
            request.id(), host.id(), each);
      }
    }
  }

  /** Adopts an instance that is on a host already, whether it fits there or not. */
  public Instance adopt(Adoption how, ObservedInstance seen, long time) {
    requireAdoptable(how, seen, time);
    HostRecord host = state.hostRecord(seen.host());
    if (host == null) {
      throw Code.UNKNOWN_HOST.refusal(
          "instance %s is adopted on host %s, but no such host is up.", seen.id(), seen.host());
    }
    requireCountable(host, how.request());
    int dimensions = state.table().dimensions();
    state.beginChange();
    InstanceRecord instance =
        state.create(how.request(), null, null, how.history().admittedAt(), state.admissions());
    instance.countsOnAfter(state.ended().get(instance.id()));
    try {
      transitions.adopt(
          instance, host, seen.state(), seen.attempt(), seen.since().orElse(time), how.history());
    } catch (Throwable failure) {
      transitions.forget(instance);
      state.table().forgetDimensionsFrom(dimensions);
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    state.livesSince(how.history().admittedAt());
    state.setAdmissions(state.admissions() + 1);
    state.add(instance);
    state.ended().remove(instance.id()); // it has not ended after all
    state.endChange();
    return instance;
  }

  private void requireNew(Request request) {
    String id = request.id();
    if (state.instanceRecord(id) != null) {
      throw Code.ID_IN_USE.refusal(
          "request %s is submitted, but an instance of that id is not done.", id);
    }
    if (!state.classRecords().containsKey(request.serviceClass())) {
      throw Code.UNKNOWN_CLASS.refusal(
          "request %s is of service class %s, which the scheduler does not have. Known: %s.",
          id, request.serviceClass(), String.join(", ", state.classRecords().keySet()));
    }
    state.refuseClash("request ", id, request.demand());
  }

  InstanceRecord admit(
      Request request,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      @Nullable History history,
      long time) {
    requireNew(request);
    state.dependents().require(request);
    state.requireNotPast(time, "request ", request.id(), " is submitted");
    int dimensions = state.table().dimensions();
    state.beginChange();
    InstanceRecord instance =
        state.create(
            request, bag, group, history == null ? time : history.admittedAt(), state.admissions());
    instance.countsOnAfter(state.ended().get(request.id()));
    if (history != null) {
      instance.waitsSince(time, history);
    }
    state.dependents().connect(instance);
    try {
      state.follower().rekey(instance);
    } catch (Throwable failure) {
      transitions.forget(instance);
      state.table().forgetDimensionsFrom(dimensions);
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    if (history != null) {
      state.livesSince(history.admittedAt());
    }
    state.setAdmissions(state.admissions() + 1);
    state.add(instance);
    transitions.enterPending(instance);
    state.endChange();
    return instance;
  }

  /** Undoes an admission. */
  void withdraw(InstanceRecord admitted) {
    transitions.leavePending(admitted);
    state.remove(admitted);
    transitions.forget(admitted);
  }
}
