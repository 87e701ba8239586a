package dev.berth.policies.baselines;

import dev.berth.api.Instance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Equivalent pending requests. */
final class PackedGroup {

  final int number; // from 0, among the groups of the problem
  final int importance;
  final HostSet hosts;
  final @Nullable PackedJob job; // null if anti-affinity does not concern these requests
  final boolean apart; // whether they refuse to share a host with others of the job
  private final long[] demand; // by dimension
  private final List<Instance> members = new ArrayList<>();
  private int waiting;

  PackedGroup(
      int number,
      int importance,
      long[] demand,
      HostSet hosts,
      @Nullable PackedJob job,
      boolean apart) {
    this.number = number;
    this.importance = importance;
    this.demand = demand;
    this.hosts = hosts;
    this.job = job;
    this.apart = apart;
  }

  void add(Instance member) {
    members.add(member);
    waiting++;
  }

  long demand(int dimension) {
    return demand[dimension];
  }

  int size() {
    return members.size();
  }

  /** Returns the members in order of admission. */
  List<Instance> members() {
    return members;
  }

  boolean isWaiting() {
    return waiting > 0;
  }

  /** Notes that a place was found for one more member. */
  void placedOne() {
    waiting--;
  }
}
