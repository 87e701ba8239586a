package dev.berth.core.internal.snapshot;

import dev.berth.api.PlainHash;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.digest.ChangeTracker;
import dev.berth.core.internal.digest.TrackedRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The sum of the hashes of all records of a cluster, of their plain data. It is the sum in {@link
 * dev.berth.core.snapshot.SchedulerSnapshot#digest()}, but costs O(records that changed).
 */
public final class StateDigest {

  private final ClusterState state;
  private final SnapshotWriter writer;
  private final ChangeTracker tracker;

  /** Begins to keep the hashes of the records. */
  public StateDigest(ClusterState state, SnapshotWriter writer) {
    this.state = state;
    this.writer = writer;
    this.tracker = state.tracker();
  }

  /** Returns the sum. */
  public long sum() {
    return tracker.sum(this::forEach, state::contains, this::hash);
  }

  private void forEach(Consumer<TrackedRecord> action) {
    state.poolRecords().forEach(action);
    state.hostRecords().forEach(action);
    state.bagRecords().forEach(action);
    state.groupRecords().forEach(action);
    state.instanceRecords().forEach(action);
    state.budgets().all().forEach(action);
  }

  private long hash(TrackedRecord record) {
    if (record instanceof InstanceRecord instance) {
      long request =
          ChangeTracker.fixedHash(instance, () -> PlainHash.of(SnapshotWriter.request(instance)));
      return PlainHash.combine(PlainHash.of(writer.write(instance, Optional.empty())), request);
    }
    if (record instanceof HostRecord host) {
      return PlainHash.of(SnapshotWriter.write(host));
    }
    if (record instanceof BagRecord bag) {
      long tasks = ChangeTracker.fixedHash(bag, () -> PlainHash.of(SnapshotWriter.tasks(bag)));
      return PlainHash.combine(PlainHash.of(SnapshotWriter.write(bag, List.of())), tasks);
    }
    if (record instanceof BudgetRecord budget) {
      return PlainHash.of(SnapshotWriter.write(budget));
    }
    if (record instanceof GroupRecord group) {
      return SnapshotWriter.write(group).digest();
    }
    return PlainHash.of(SnapshotWriter.write((PoolRecord) record));
  }

  /** Returns how many hashes of records were computed so far. */
  public long rehashed() {
    return tracker.rehashed();
  }
}
