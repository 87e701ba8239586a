package dev.berth.policies.qos;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An instance that has served before its latest change of state.
 *
 * @param served the service until then
 */
record StubJob(
    Request request,
    ServiceClass serviceClass,
    InstanceState state,
    long admittedAt,
    long stateSince,
    long served,
    long restartOverhead)
    implements Instance {

  static Request request(String id, ServiceClass its, UnaryOperator<Request.Builder> how) {
    return how.apply(Request.builder(id, its.name()).demand(Resources.of(Dimension.CPU, 1)))
        .build();
  }

  /** Returns one that was admitted at a time and has waited ever since. */
  static StubJob pending(Request request, ServiceClass its, long admittedAt) {
    return new StubJob(request, its, InstanceState.PENDING, admittedAt, admittedAt, 0, 0);
  }

  StubJob thatServed(long nanos) {
    return new StubJob(
        request, serviceClass, state, admittedAt, stateSince, nanos, restartOverhead);
  }

  StubJob runningSince(long time) {
    return new StubJob(
        request, serviceClass, InstanceState.RUNNING, admittedAt, time, served, restartOverhead);
  }

  StubJob thatLost(long nanos) {
    return new StubJob(request, serviceClass, state, admittedAt, stateSince, served, nanos);
  }

  @Override
  public long serviceTime(long now) {
    return state == InstanceState.RUNNING ? served + now - stateSince : served;
  }

  @Override
  public long earnedTime(long now) {
    return serviceClass.slo().lifeSpan(serviceTime(now));
  }

  @Override
  public Optional<Host> host() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int preemptions() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int placements() {
    throw new UnsupportedOperationException();
  }
}
