package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import org.jspecify.annotations.Nullable;

/**
 * The instance and the host under evaluation, as an {@link AllocationScore} sees them. One object
 * serves all evaluations, so scoring allocates nothing.
 */
final class FitView implements AllocationScore.Fit {

  private final HostTable table;
  private final VictimSearch victims;

  long now;
  Grant grant = new Grant(InstanceRecord.NOTHING, null); // of the instance on the host
  @Nullable InstanceRecord instance;
  private @Nullable HostRecord host;
  private int slot;

  FitView(HostTable table, VictimSearch victims) {
    this.table = table;
    this.victims = victims;
  }

  /** Turns the view to a host. */
  void on(HostRecord next) {
    host = next;
    slot = next.slot();
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public int dimensions() {
    return table.dimensions();
  }

  @Override
  public long capacity(int dimension) {
    return table.capacity(slot, dimension);
  }

  @Override
  public long used(int dimension) {
    long used =
        table.capacity(slot, dimension) - table.free(slot, dimension) - victims.held(dimension);
    long[] granted = grant.amounts();
    return dimension < granted.length ? used + granted[dimension] : used;
  }

  @Override
  public Dimension dimension(int number) {
    return table.dimension(number);
  }

  @Override
  public Host host() {
    return present(host);
  }

  @Override
  public Instance instance() {
    return present(instance);
  }

  private static <T> T present(@Nullable T value) {
    checkState(value != null, "a fit is valid only during the call it is passed to");
    return value;
  }
}
