package dev.berth.core.explain;

import dev.berth.core.explain.WhyPending.Obstacle;
import java.util.List;
import java.util.stream.Collectors;

/**
 * For how many members of a group there is room together. A group that has no member on a host
 * starts only if there is room for {@link #needed} of them at once.
 *
 * <p>Each number is found by putting the members, in order of admission, on the first host that
 * takes the whole demand and that no rule, limit, taint or filter refuses. Cost O(hosts) for each
 * set of members that are alike. Cost O(hosts) for each member, and O(instances) once, if members
 * have rules about others or limits, or the policy has filters or decides on grants.
 *
 * @param group its id
 * @param needed how many members must start together, at least 2
 * @param waiting how many members wait, at least {@code needed}
 * @param heldBack how many of these cannot start now, since they are held back after failed starts,
 *     or are to start after others
 * @param now the room beside the instances that are on the hosts now, for those not held back
 * @param emptied the room if no instance were on any host, and every host were open; foreign load
 *     and taints stay
 */
public record GroupRoom(
    String group, int needed, int waiting, int heldBack, Room now, Room emptied) {

  /**
   * The room under a condition.
   *
   * @param members for how many members a host was found, not negative
   * @param exact whether no choice of hosts has room for more. That is so if hosts were found for
   *     all, if the others are larger than any host, and, as long as room and rules alone decide,
   *     if none was found, or if the members are alike and neither rules about other instances nor
   *     limits per host apply to them. Otherwise another choice may do
   * @param obstacles why the first member without a host has none, on all hosts; those that
   *     preemption can cure first. Empty if each member has one
   */
  public record Room(int members, boolean exact, List<Obstacle> obstacles) {

    /** Copies the list. */
    public Room {
      obstacles = List.copyOf(obstacles);
    }

    private String describe() {
      String count = (exact ? "" : "at least ") + members;
      return obstacles.isEmpty()
          ? count
          : obstacles.stream()
              .map(each -> each.hosts() + " " + each.text())
              .collect(Collectors.joining(", ", count + " (no more: ", ")"));
    }
  }

  /** Returns whether there is room for as many members as must start together. */
  public boolean suffices() {
    return now.members() >= needed;
  }

  /**
   * Returns whether the group certainly cannot start as the hosts, their taints and foreign load,
   * and the limits are, whatever becomes of other instances.
   */
  public boolean isHopeless() {
    return emptied.exact() && emptied.members() < needed;
  }

  /**
   * Returns the room in words: {@code "group g needs 40 members at once: free room for 12 (no more:
   * 20 full (cpu short by 1)), on empty hosts for 40"}.
   */
  public String describe() {
    String text = "group %s needs %s members at once: free room for ".formatted(group, needed);
    if (suffices()) {
      return text + needed;
    }
    text += now.describe();
    text += heldBack == 0 ? "" : ", %s held back".formatted(heldBack);
    text += ", on empty hosts for " + (emptied.members() < needed ? emptied.describe() : needed);
    return isHopeless() ? text + ", so it cannot start unless hosts or limits change" : text;
  }
}
