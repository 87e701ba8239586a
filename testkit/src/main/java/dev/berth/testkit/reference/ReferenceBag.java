package dev.berth.testkit.reference;

import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.InstanceReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A bag of tasks that has not ended: its instances and its cluster. */
public final class ReferenceBag {

  private final BagSpec spec;
  private final long submittedAt;
  private final int number; // in order of submission
  private final List<ReferenceInstance> all;
  private final List<ReferenceInstance> members; // not done
  private int completed;
  private Optional<String> cluster = Optional.empty();
  private OptionalLong assignedAt = OptionalLong.empty();
  private OptionalLong expiresAt;

  ReferenceBag(BagSpec spec, List<ReferenceInstance> members, long submittedAt, int number) {
    this.spec = spec;
    this.submittedAt = submittedAt;
    this.number = number;
    this.all = List.copyOf(members);
    this.members = new ArrayList<>(members);
    this.expiresAt = usersExpiry();
  }

  private OptionalLong usersExpiry() {
    if (spec.timeToLive().isEmpty()) {
      return OptionalLong.empty();
    }
    long nanos = spec.timeToLive().get().toNanos();
    boolean everLasting = submittedAt > Long.MAX_VALUE - nanos;
    return OptionalLong.of(everLasting ? Long.MAX_VALUE : submittedAt + nanos);
  }

  void assign(String toCluster, OptionalLong expiry, long now) {
    cluster = Optional.of(toCluster);
    assignedAt = OptionalLong.of(now);
    long soonest = Math.min(usersExpiry().orElse(Long.MAX_VALUE), expiry.orElse(Long.MAX_VALUE));
    boolean never = usersExpiry().isEmpty() && expiry.isEmpty();
    expiresAt = never ? OptionalLong.empty() : OptionalLong.of(soonest);
  }

  void left(ReferenceInstance member, boolean complete) {
    members.remove(member);
    completed += complete ? 1 : 0;
  }

  /** Returns its report if it ends now, including what cancelled instances received. */
  BagReport report(List<InstanceReport> cancelledWithBag, Optional<Reason> why, long now) {
    return new BagReport(
        id(),
        spec.requests().size(),
        completed,
        cancelledWithBag,
        why,
        submittedAt,
        assignedAt,
        now,
        cluster,
        serviceTime(now));
  }

  /** Returns the summed service time of its instances, those that are done included. */
  public long serviceTime(long now) {
    return all.stream().mapToLong(each -> each.serviceTime(now)).sum();
  }

  Decision.Identity identity() {
    return new Decision.Identity(id(), number);
  }

  /** Returns its id. */
  public String id() {
    return spec.id();
  }

  /** Returns its instances that are not done, in order of admission. */
  public List<ReferenceInstance> members() {
    return List.copyOf(members);
  }

  /** Returns the number of its completed instances. */
  public int completed() {
    return completed;
  }

  /** Returns the cluster it was assigned to, or empty. */
  public Optional<String> cluster() {
    return cluster;
  }

  /** Returns when it was assigned to its cluster, or empty. */
  public OptionalLong assignedAt() {
    return assignedAt;
  }

  /** Returns when its time to live ends, or empty if it never does. */
  public OptionalLong expiresAt() {
    return expiresAt;
  }

  /** Returns whether its time to live is over. */
  public boolean expired(long now) {
    return expiresAt.isPresent() && expiresAt.getAsLong() <= now;
  }

  @Override
  public String toString() {
    return "bag " + id();
  }
}
