package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import java.util.List;

/**
 * The groups that have not ended.
 *
 * @param groups the groups, in order of submission
 */
public record GroupsData(List<GroupData> groups) {

  /** Copies the groups. */
  public GroupsData {
    groups = List.copyOf(groups);
  }

  /**
   * A group that has not ended. Whether it has started follows from the states of its members.
   *
   * @param id its id
   * @param submission the number of admissions before it was submitted, unique
   * @param size how many members it had
   * @param minCount how many must be on hosts for it to start
   * @param onLoss what happens if it loses too many, a name of {@link
   *     dev.berth.api.batch.GroupSpec.OnLoss}
   * @param completed how many of its members completed
   * @param members its members that are not done, by {@link InstanceData#admission}, in order
   */
  public record GroupData(
      String id,
      long submission,
      int size,
      int minCount,
      String onLoss,
      int completed,
      List<Long> members) {

    /** Copies the members. */
    public GroupData {
      members = List.copyOf(members);
    }

    /** Returns a hash of all components. */
    public long digest() {
      return PlainHash.of(this);
    }
  }
}
