package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.core.Sli;
import dev.berth.testkit.event.Standing;
import dev.berth.testkit.reference.Metrics.Run;
import dev.berth.testkit.reference.Stay.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One instance and all that happened to it since its request was admitted. Everything else about it
 * is worked out from that history whenever it is asked for.
 */
public final class ReferenceInstance {

  private final Request request;
  private final ServiceClass serviceClass;
  private final long admittedAt;
  private final List<Stay> stays = new ArrayList<>();
  private OptionalLong doneAt = OptionalLong.empty();

  ReferenceInstance(Request request, ServiceClass serviceClass, long admittedAt) {
    this.request = request;
    this.serviceClass = serviceClass;
    this.admittedAt = admittedAt;
  }

  // ---- What happens to it

  void placed(String hostId, long pass, long now) {
    require(InstanceState.PENDING);
    stays.add(Stay.begin(hostId, pass, now));
  }

  void ready(long now) {
    require(InstanceState.STARTING);
    replaceLast(lastStay().orElseThrow().ready(now));
  }

  void leaves(long now, Ending why) {
    replaceLast(currentStay().orElseThrow().end(now, why));
  }

  void done(long now) {
    if (currentStay().isPresent()) {
      leaves(now, Ending.DONE);
    }
    require(InstanceState.PENDING);
    doneAt = OptionalLong.of(now);
  }

  private void replaceLast(Stay stay) {
    stays.set(stays.size() - 1, stay);
  }

  private void require(InstanceState expected) {
    if (state() != expected) {
      throw new IllegalArgumentException(
          "instance %s is %s, must be %s.".formatted(id(), state(), expected));
    }
  }

  // ---- What follows from that

  /** Returns the id of its request. */
  public String id() {
    return request.id();
  }

  /** Returns the request it serves. */
  public Request request() {
    return request;
  }

  /** Returns its class. */
  public ServiceClass serviceClass() {
    return serviceClass;
  }

  /** Returns when its request was admitted. */
  public long admittedAt() {
    return admittedAt;
  }

  /** Returns all its stays on hosts, oldest first. */
  public List<Stay> stays() {
    return List.copyOf(stays);
  }

  /** Returns the stay that has not ended, if it holds capacity. */
  public Optional<Stay> currentStay() {
    return lastStay().filter(Stay::current);
  }

  private Optional<Stay> lastStay() {
    return stays.isEmpty() ? Optional.empty() : Optional.of(stays.get(stays.size() - 1));
  }

  /** Returns where it stands. */
  public InstanceState state() {
    if (doneAt.isPresent()) {
      return InstanceState.DONE;
    }
    return currentStay()
        .map(stay -> stay.readyAt().isPresent() ? InstanceState.RUNNING : InstanceState.STARTING)
        .orElse(InstanceState.PENDING);
  }

  /** Returns when it came into its present state. */
  public long stateSince() {
    if (doneAt.isPresent() || stays.isEmpty()) {
      return doneAt.orElse(admittedAt);
    }
    Stay last = stays.get(stays.size() - 1);
    return last.leftAt().orElse(last.readyAt().orElse(last.placedAt()));
  }

  /** Returns the id of the host on which it holds capacity, if any. */
  public Optional<String> hostId() {
    return currentStay().map(Stay::hostId);
  }

  /** Returns whether it holds capacity on a host. */
  public boolean isOn(HostSpec host) {
    return !stays.isEmpty() && stays.get(stays.size() - 1).isOn(host.id());
  }

  /** Returns the periods in service up to now. */
  public List<Run> runs(long now) {
    List<Run> runs = new ArrayList<>();
    for (Stay stay : stays) {
      stay.readyAt().ifPresent(ready -> runs.add(new Run(ready, stay.leftAt().orElse(now))));
    }
    return runs;
  }

  /** Returns e (section 3.1). */
  public long serviceTime(long now) {
    return Metrics.serviceTime(runs(now));
  }

  /** Returns p (section 3.1): whatever was not service. */
  public long waitingTime(long now) {
    return doneAt.orElse(now) - admittedAt - serviceTime(now);
  }

  /** Returns Q (Eqs. 2 to 7) for an expected overhead α, while it is not done. */
  public long qos(long now, long alpha) {
    List<Run> runs = runs(now);
    long e = Metrics.serviceTime(runs);
    long p = now - admittedAt - e;
    return Metrics.qos(Metrics.earned(runs, serviceClass.slo()), e, p, alpha);
  }

  /**
   * Returns S (section 3.5.2): the measured preparation times of the placements that directly
   * follow a preemption. One that never became ready was not measured; one after a failure was not
   * the preemption's fault.
   */
  public long restartOverhead() {
    long sum = 0;
    for (int i = 1; i < stays.size(); i++) {
      Stay stay = stays.get(i);
      if (stays.get(i - 1).ended(Ending.PREEMPTED) && stay.readyAt().isPresent()) {
        sum += stay.readyAt().getAsLong() - stay.placedAt();
      }
    }
    return sum;
  }

  /** Returns C (Eq. 8). */
  public double preemptionOverhead(long now) {
    return Metrics.preemptionOverhead(restartOverhead(), serviceTime(now));
  }

  /** Returns how often it was preempted. */
  public int preemptions() {
    return (int) stays.stream().filter(stay -> stay.ended(Ending.PREEMPTED)).count();
  }

  /** Returns how often it was placed. */
  public int placements() {
    return stays.size();
  }

  /** Returns how it stands now, while it is not done. */
  public Standing standing(long now) {
    return new Standing(
        id(),
        state(),
        stateSince(),
        hostId(),
        serviceTime(now),
        waitingTime(now),
        preemptions(),
        placements(),
        restartOverhead());
  }

  Sli sli() {
    long end = doneAt.orElseThrow();
    return new Sli(
        id(),
        serviceClass,
        admittedAt,
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
