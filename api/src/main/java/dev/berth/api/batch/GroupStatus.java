package dev.berth.api.batch;

import dev.berth.api.Experimental;
import java.util.Objects;

/**
 * What has become of a {@linkplain GroupSpec group} that has not ended. Immutable: it does not
 * change with the group.
 *
 * @param id its id
 * @param size the number of members in the submitted group
 * @param minCount how many members must be on hosts for the group to start
 * @param onLoss what happens if a group that has started has too few members on hosts
 * @param pending how many members are pending
 * @param onHosts how many members are on hosts: starting, running, paused or suspended
 * @param completed how many members have completed
 */
@Experimental
public record GroupStatus(
    String id,
    int size,
    int minCount,
    GroupSpec.OnLoss onLoss,
    int pending,
    int onHosts,
    int completed) {

  /** Checks that neither the id nor {@code onLoss} is null. */
  public GroupStatus {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(onLoss, "onLoss");
  }

  /**
   * Returns how many members must be on hosts, not negative: {@link #minCount} without the members
   * that have completed, but no more than are left. A member that was cancelled or rejected is not
   * left, so a group that lost too many of them needs the others.
   */
  public int required() {
    return Math.max(0, Math.min(minCount - completed, pending + onHosts));
  }

  /**
   * Returns whether the group has started and lost too many members: some are on hosts, but fewer
   * than {@link #required}.
   */
  public boolean isBroken() {
    return onHosts > 0 && onHosts < required();
  }
}
