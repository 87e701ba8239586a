package dev.berth.api.batch;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Experimental;
import dev.berth.api.Request;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A group: requests that start together or not at all. Immutable.
 *
 * <p>A pass either places at least {@link #minCount} members of a group that has not started, or
 * none, and then preempts no instance for it. It preempts so many that too few are left only if it
 * preempts all. Each member is an ordinary request otherwise. A {@linkplain BagSpec bag of tasks}
 * makes no such promise: its members start one by one.
 *
 * @param id unique among the groups that have not ended; not blank
 * @param members its requests, at least one; ids are distinct
 * @param minCount how many members must be on hosts for the group to start, from 1 to the number of
 *     members
 * @param onLoss what happens if a group that has started has too few members on hosts
 */
@Experimental
public record GroupSpec(String id, List<Request> members, int minCount, OnLoss onLoss) {

  /** What happens to a group that has started and lost so many members that it is broken. */
  public enum OnLoss {
    /** The other members stay, and lost members are placed again one by one. */
    RESTORE,
    /**
     * The next pass evicts the other members before its policy decides, and the group starts
     * together again.
     */
    RELEASE
  }

  /**
   * Copies the members.
   *
   * @throws IllegalArgumentException if the id is blank, there is no member, an id occurs twice, a
   *     member is to start {@linkplain Request#after after} another one, or {@code minCount} is out
   *     of range
   */
  public GroupSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(onLoss, "onLoss");
    refuseIf(id.isBlank(), "group id was blank.");
    for (Request each : members) {
      Objects.requireNonNull(each, () -> "GroupSpec: a member of group " + id + " was null.");
    }
    members = List.copyOf(members);
    refuseIf(members.isEmpty(), "group %s has no members.", id);
    Set<String> ids = new HashSet<>();
    for (Request each : members) {
      refuseIf(!ids.add(each.id()), "group %s: request %s was given twice.", id, each.id());
    }
    for (Request each : members) {
      for (String other : each.after()) {
        refuseIf(
            ids.contains(other),
            "group %s: member %s is to start after member %s, must start together with it.",
            id,
            each.id(),
            other);
      }
    }
    refuseIf(
        minCount < 1 || minCount > members.size(),
        "group %s: minCount was %s, must be from 1 to %s, the number of its members.",
        id,
        minCount,
        members.size());
  }

  /** Creates a group that needs all its members, with {@link OnLoss#RESTORE}. */
  public GroupSpec(String id, List<Request> members) {
    this(id, members, sizeOf(members), OnLoss.RESTORE);
  }

  private static int sizeOf(List<Request> members) {
    Objects.requireNonNull(members, "members");
    return members.size();
  }
}
