package dev.berth.policies.qos;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import java.util.Optional;

/** An instance admitted at 0 that has only what the rules of this package ask for. */
record StubInstance(
    ServiceClass serviceClass,
    InstanceState state,
    long stateSince,
    int preemptions,
    long restartOverhead,
    double preemptionOverhead)
    implements Instance {

  static StubInstance running(ServiceClass serviceClass) {
    return new StubInstance(serviceClass, InstanceState.RUNNING, 0, 0, 0, 0);
  }

  static StubInstance pending(ServiceClass serviceClass) {
    return new StubInstance(serviceClass, InstanceState.PENDING, 0, 0, 0, 0);
  }

  StubInstance starting() {
    return new StubInstance(
        serviceClass,
        InstanceState.STARTING,
        stateSince,
        preemptions,
        restartOverhead,
        preemptionOverhead);
  }

  StubInstance since(long time) {
    return new StubInstance(
        serviceClass, state, time, preemptions, restartOverhead, preemptionOverhead);
  }

  StubInstance restarted(int times, long nanos) {
    return new StubInstance(serviceClass, state, stateSince, times, nanos, preemptionOverhead);
  }

  StubInstance withOverhead(double share) {
    return new StubInstance(serviceClass, state, stateSince, preemptions, restartOverhead, share);
  }

  @Override
  public double preemptionOverhead(long now) {
    return preemptionOverhead > 0 ? preemptionOverhead : Instance.super.preemptionOverhead(now);
  }

  @Override
  public long admittedAt() {
    return 0;
  }

  @Override
  public Request request() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Host> host() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long serviceTime(long now) {
    return state == InstanceState.RUNNING ? now - stateSince : 0;
  }

  @Override
  public long earnedTime(long now) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int placements() {
    throw new UnsupportedOperationException();
  }
}
