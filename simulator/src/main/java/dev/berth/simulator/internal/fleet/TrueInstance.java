package dev.berth.simulator.internal.fleet;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.internal.execution.Execution;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An instance of an unreliable fleet, as it is in truth, with what the scheduler may not know. */
final class TrueInstance implements Instance {

  private static final long NEVER = -1;

  private final Execution execution;
  private final ServiceClass serviceClass;
  private InstanceState state = InstanceState.PENDING;
  private long stateSince;
  private @Nullable TrueHost host;
  private Resources granted;
  private int attempt;
  private long starts;
  private Optional<Duration> cpuTime = Optional.empty();

  // What the scheduler believes of it
  private int sent; // reports about it
  private int arrived; // of those
  private boolean late; // whether a report was lost or overtaken
  private long misjudgedSince = NEVER;
  private long misjudged; // for how long the scheduler believed it in another state, until then

  TrueInstance(Execution execution, ServiceClass serviceClass) {
    this.execution = execution;
    this.serviceClass = serviceClass;
    this.stateSince = execution.admittedAt();
    this.granted = execution.request().demand();
  }

  Execution execution() {
    return execution;
  }

  // ---- Life

  /** Begins an attempt on a host. */
  void starts(TrueHost on, int number, Resources grant, long now) {
    leaveHost();
    enter(InstanceState.STARTING, now);
    host = on;
    granted = grant;
    attempt = number;
    starts++;
    on.enters(this);
  }

  /** Enters another state where it is. */
  void enter(InstanceState next, long now) {
    state = next;
    stateSince = now;
  }

  /** Leaves its host, if it has one. */
  void stops(InstanceState next, long now) {
    leaveHost();
    granted = request().demand();
    enter(next, now);
  }

  private void leaveHost() {
    if (host != null) {
      host.leaves(this);
      host = null;
    }
  }

  void completes(Optional<Duration> itsCpuTime, long now) {
    cpuTime = itsCpuTime;
    stops(InstanceState.DONE, now);
  }

  void resized(Resources grant) {
    granted = grant;
  }

  boolean isDone() {
    return state == InstanceState.DONE;
  }

  boolean isOn(String hostId) {
    return host != null && host.id().equals(hostId);
  }

  @Nullable TrueHost trueHost() {
    return host;
  }

  Optional<Duration> cpuTime() {
    return cpuTime;
  }

  /** Returns the number of its starts, refused ones excluded. */
  long starts() {
    return starts;
  }

  // ---- What the scheduler believes

  /** Notes that something about it has reached the scheduler: reports on the way are late. */
  void overtakesReports() {
    late |= sent > arrived;
  }

  /** Notes that a report about it, or the loss of its host, is not on time. */
  void notOnTime() {
    late = true;
  }

  /** Returns the number of a report about it that is sent, counted from 1. */
  int reportSent() {
    sent++;
    return sent;
  }

  /** Notes that the first copy of a report has arrived. */
  void reportArrived(int number) {
    arrived++;
    late |= number != arrived;
  }

  /** Compares what is believed with the truth, from now on. */
  void compare(Optional<Instance> believed, long now) {
    if (isAsBelieved(believed)) {
      misjudged = misjudgedUntil(now);
      misjudgedSince = NEVER;
    } else if (misjudgedSince == NEVER) {
      misjudgedSince = now;
    }
  }

  boolean isAsBelieved(Optional<Instance> believed) {
    if (believed.isEmpty()) {
      return isDone();
    }
    Optional<String> itsHost = Optional.ofNullable(host).map(TrueHost::id);
    return believed.get().state() == state && believed.get().host().map(Host::id).equals(itsHost);
  }

  private long misjudgedUntil(long now) {
    return misjudgedSince == NEVER ? misjudged : misjudged + (now - misjudgedSince);
  }

  /**
   * Compares the scheduler's account of its service with the true one; see {@code Simulation}.
   *
   * @return by how much they differ, in nanoseconds
   * @throws IllegalStateException if they differ by more than what the scheduler did not know
   */
  long checkService(long believed, long end, long now) {
    long served = execution.report(serviceClass, end).serviceTime();
    long most = late ? misjudgedUntil(now) : 0;
    long difference = Math.abs(believed - served);
    if (difference > most) {
      throw new IllegalStateException(
          ("accounts of instance %s differ by more than %s ns, the time in which the scheduler"
                  + " misjudged it: the scheduler has a service of %s ns, the fleet of %s ns.")
              .formatted(id(), most, believed, served));
    }
    return difference;
  }

  // ---- The view of execution models

  @Override
  public Request request() {
    return execution.request();
  }

  @Override
  public ServiceClass serviceClass() {
    return serviceClass;
  }

  @Override
  public InstanceState state() {
    return state;
  }

  @Override
  public Optional<Host> host() {
    return Optional.ofNullable(host);
  }

  @Override
  public Resources granted() {
    return granted;
  }

  @Override
  public long admittedAt() {
    return execution.admittedAt();
  }

  @Override
  public long stateSince() {
    return stateSince;
  }

  @Override
  public long serviceTime(long now) {
    return execution.report(serviceClass, now).serviceTime();
  }

  @Override
  public long earnedTime(long now) {
    return serviceClass.slo().lifeSpan(serviceTime(now));
  }

  @Override
  public int preemptions() {
    return execution.preemptions();
  }

  @Override
  public int placements() {
    return execution.placements();
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public long restartOverhead() {
    return execution.restartOverhead();
  }
}
