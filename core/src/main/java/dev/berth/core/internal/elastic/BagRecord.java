package dev.berth.core.internal.elastic;

import com.google.common.math.LongMath;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.internal.cluster.Batch;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A bag of tasks: its members, its cluster, and the service so far. */
public final class BagRecord extends Batch implements Bag {

  public final BagSpec spec;
  public final long submittedAt;
  private final OptionalLong estimatedRunTime;
  private final OptionalLong usersExpiry;
  private long serviceOfThoseDone;
  private OptionalLong assignedAt = OptionalLong.empty();
  private OptionalLong expiresAt;

  public BagRecord(BagSpec spec, long submittedAt, long submission) {
    super(submission);
    this.spec = spec;
    this.submittedAt = submittedAt;
    this.usersExpiry =
        spec.timeToLive()
            .map(each -> OptionalLong.of(LongMath.saturatedAdd(submittedAt, each.toNanos())))
            .orElse(OptionalLong.empty());
    this.expiresAt = usersExpiry;
    this.estimatedRunTime = sum(spec.requests());
  }

  private static OptionalLong sum(List<Request> requests) {
    long sum = 0;
    for (Request each : requests) {
      if (each.estimatedRunTime().isEmpty()) {
        return OptionalLong.empty();
      }
      sum = LongMath.saturatedAdd(sum, each.estimatedRunTime().getAsLong());
    }
    return OptionalLong.of(sum);
  }

  /** Returns the bag of an instance, or null if it belongs to none. */
  public static @Nullable BagRecord of(InstanceRecord instance) {
    return (BagRecord) instance.bag;
  }

  /** Assigns the bag to a cluster. The expiry that its user set holds if it is earlier. */
  public void assign(String toCluster, OptionalLong expiry, long now) {
    OptionalLong earlier =
        expiry.isPresent() && usersExpiry.isPresent()
            ? OptionalLong.of(Math.min(expiry.getAsLong(), usersExpiry.getAsLong()))
            : expiry.isPresent() ? expiry : usersExpiry;
    restoreAssignment(toCluster, OptionalLong.of(now), earlier);
  }

  /** Restores a former assignment; null: to none. */
  void restoreAssignment(@Nullable String toCluster, OptionalLong since, OptionalLong expiry) {
    mustBeOn(toCluster);
    assignedAt = since;
    expiresAt = expiry;
  }

  /** Returns whether the pass under way cancelled the bag or rejected all its remaining members. */
  public boolean isOver() {
    return present().stream().allMatch(each -> each.state() == InstanceState.DONE);
  }

  @Override
  public void left(InstanceRecord member, boolean complete) {
    super.left(member, complete);
    serviceOfThoseDone += member.served();
  }

  @Override
  public void returned(InstanceRecord member, boolean wasComplete) {
    super.returned(member, wasComplete);
    serviceOfThoseDone -= member.served();
  }

  /** Returns the service of the members that are done. */
  public long serviceOfThoseDone() {
    return serviceOfThoseDone;
  }

  /** Restores what happened to it before. The bag is new. */
  public void restore(
      int membersCompleted,
      long service,
      @Nullable String assignedTo,
      OptionalLong assigned,
      OptionalLong expiry) {
    restore(membersCompleted);
    serviceOfThoseDone = service;
    restoreAssignment(assignedTo, assigned, expiry);
  }

  /** Returns the outcome of the bag if it ends now. */
  public BagReport report(List<InstanceReport> cutOff, Optional<Reason> why, long now) {
    return new BagReport(
        spec.id(),
        spec.requests().size(),
        completed(),
        cutOff,
        why,
        submittedAt,
        assignedAt,
        now,
        cluster(),
        serviceTime(now));
  }

  /** Returns the outcome of the bag if its members that the pass under way ends are the last. */
  public BagReport reportOfEnded(long now) {
    return report(List.of(), Optional.empty(), now);
  }

  @Override
  public String id() {
    return spec.id();
  }

  @Override
  public int size() {
    return spec.requests().size();
  }

  @Override
  public List<Instance> instances() {
    List<Instance> present = new ArrayList<>(present().size());
    for (InstanceRecord each : present()) {
      if (each.state() != InstanceState.DONE) { // refused by the pass under way
        present.add(each);
      }
    }
    return Collections.unmodifiableList(present);
  }

  @Override
  public int remaining() {
    int remaining = 0;
    for (InstanceRecord each : present()) {
      remaining += each.state() == InstanceState.DONE ? 0 : 1;
    }
    return remaining;
  }

  @Override
  public long submittedAt() {
    return submittedAt;
  }

  @Override
  public OptionalLong estimatedRunTime() {
    return estimatedRunTime;
  }

  @Override
  public Optional<String> cluster() {
    return Optional.ofNullable(itsCluster());
  }

  @Override
  public OptionalLong assignedAt() {
    return assignedAt;
  }

  @Override
  public OptionalLong expiresAt() {
    return expiresAt;
  }

  @Override
  public long serviceTime(long now) {
    long sum = serviceOfThoseDone;
    for (InstanceRecord each : present()) {
      sum += each.serviceTime(now);
    }
    return sum;
  }

  @Override
  public String toString() {
    return "bag " + id();
  }
}
