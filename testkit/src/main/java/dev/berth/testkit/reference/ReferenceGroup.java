package dev.berth.testkit.reference;

import dev.berth.api.batch.GroupSpec;
import java.util.ArrayList;
import java.util.List;

/** A group that has not ended: its instances that are not done. */
public final class ReferenceGroup {

  private final GroupSpec spec;
  private final int number; // in order of submission
  private final List<ReferenceInstance> members; // not done
  private int completed;

  ReferenceGroup(GroupSpec spec, List<ReferenceInstance> members, int number) {
    this.spec = spec;
    this.number = number;
    this.members = new ArrayList<>(members);
  }

  void left(ReferenceInstance member, boolean complete) {
    members.remove(member);
    completed += complete ? 1 : 0;
  }

  /** Returns its id. */
  public String id() {
    return spec.id();
  }

  /** Tells it from later groups of the same id. */
  Decision.Identity identity() {
    return new Decision.Identity(spec.id(), number);
  }

  /** Returns what happens if it is broken. */
  public GroupSpec.OnLoss onLoss() {
    return spec.onLoss();
  }

  /** Returns its instances that are not done, in order of admission. */
  public List<ReferenceInstance> members() {
    return List.copyOf(members);
  }

  /** Returns its instances on hosts, in order of admission. */
  public List<ReferenceInstance> onHosts() {
    return members.stream().filter(each -> each.state().isOnHost()).toList();
  }

  /** Returns how many instances must be on hosts if any is. */
  public int required() {
    return Math.max(0, Math.min(spec.minCount() - completed, members.size()));
  }

  /** Returns whether it has instances on hosts, but too few. */
  public boolean isBroken() {
    return !onHosts().isEmpty() && onHosts().size() < required();
  }

  /** Returns how many of its instances on hosts may leave before it is broken. */
  public int surplus() {
    return Math.max(0, onHosts().size() - required());
  }

  /** Returns those of some victims that are of this group if they break it, otherwise none. */
  public List<ReferenceInstance> unit(List<ReferenceInstance> victims) {
    List<ReferenceInstance> its = victims.stream().filter(members::contains).toList();
    return its.size() > surplus() ? its : List.of();
  }

  @Override
  public String toString() {
    return "group %s (%s of %s on hosts)".formatted(id(), onHosts().size(), required());
  }
}
