package dev.berth.policies.baselines;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The order in which a pass serves its pending requests, learnt from trials. Of equally important
 * ones, those come first that most trials left waiting although they could have had hosts; of
 * these, the larger ones. All others are in queue order.
 */
final class PackingOrder {

  private static final int TRIALS = 50;
  private static final int PATIENCE = 10; // trials in a row that are no better than the best

  private static final Comparator<PackedKind> ORDER =
      Comparator.<PackedKind>comparingInt(each -> each.importance)
          .thenComparing(each -> each.urgency, Comparator.reverseOrder())
          .thenComparing(each -> each.urgency == 0 ? 0 : each.size, Comparator.reverseOrder());

  private final List<Instance> pending;
  private final Map<Object, PackedKind> kinds = new LinkedHashMap<>(); // once some wait
  private final Map<String, PackedKind> kindOf = new HashMap<>(); // by instance; only looked up
  private List<Dimension> dimensions = List.of();
  private int trials;
  private int bestTrial;
  private int[] fewest = {}; // that waited after the best trial, from the most important on

  /**
   * Begins with the order of the queue.
   *
   * @param pending the instances that are pending when the pass begins
   */
  PackingOrder(List<Instance> pending) {
    this.pending = pending;
  }

  /** Returns which instances have the first turn, which have the second, and so on. */
  List<Predicate<Instance>> turns() {
    if (kinds.values().stream().allMatch(each -> each.urgency == 0)) {
      return List.of(each -> true);
    }
    List<PackedKind> sorted = new ArrayList<>(kinds.values());
    sorted.sort(ORDER);
    List<Predicate<Instance>> turns = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      if (i == 0 || ORDER.compare(sorted.get(i - 1), sorted.get(i)) < 0) {
        int turn = turns.size();
        turns.add(each -> turnOf(each) == turn);
      }
      sorted.get(i).turn = turns.size() - 1;
    }
    return turns;
  }

  private int turnOf(Instance instance) {
    PackedKind kind = kindOf.get(instance.id());
    return kind == null ? -1 : kind.turn;
  }

  /**
   * Changes the order by what a trial in this order has left waiting.
   *
   * @return whether another order might place more
   */
  boolean learn() {
    long waiting = pending.stream().filter(each -> each.host().isEmpty()).count();
    if (waiting == 0 || waiting == pending.size()) {
      return false; // none waits, or none could leave its host to another one
    }
    if (kinds.isEmpty()) {
      findKinds();
    }
    Collection<PackedHost> hosts = review();
    trials++;
    noteIfBest();
    boolean improvable = false;
    for (PackedKind each : kinds.values()) {
      if (each.waiting > 0 && each.waiting > each.hopeless(hosts)) {
        each.urgency++;
        improvable = true;
      }
    }
    return improvable;
  }

  /** Returns whether trials still get better. */
  boolean isWorthATrial() {
    return trials < TRIALS && trials - bestTrial < PATIENCE;
  }

  /** Returns to the order of the best trial. */
  void useBest() {
    kinds.values().forEach(each -> each.urgency = each.bestUrgency);
  }

  private void findKinds() {
    Set<Dimension> demanded = new TreeSet<>();
    pending.forEach(each -> demanded.addAll(each.request().demand().dimensions()));
    dimensions = List.copyOf(demanded);
    for (Instance each : pending) {
      PackedKind kind =
          kinds.computeIfAbsent(PackedKind.keyOf(each), key -> new PackedKind(each, dimensions));
      kind.members++;
      kindOf.put(each.id(), kind);
    }
    double[] all = new double[dimensions.size()];
    for (PackedKind each : kinds.values()) {
      for (int d = 0; d < all.length; d++) {
        all[d] += (double) each.demand[d] * each.members;
      }
    }
    kinds.values().forEach(each -> each.compareWith(all));
  }

  /** Counts the instances that wait; returns the hosts of the others. */
  private Collection<PackedHost> review() {
    kinds.values().forEach(each -> each.waiting = 0);
    Map<String, PackedHost> hosts = new LinkedHashMap<>();
    for (Instance each : pending) {
      PackedKind kind = Objects.requireNonNull(kindOf.get(each.id()));
      Optional<Host> host = each.host();
      if (host.isEmpty()) {
        kind.waiting++;
      } else {
        hosts
            .computeIfAbsent(host.get().id(), id -> new PackedHost(host.get(), dimensions))
            .add(kind);
      }
    }
    return hosts.values();
  }

  private void noteIfBest() {
    Map<Integer, Integer> waiting = new TreeMap<>();
    kinds.values().forEach(each -> waiting.merge(each.importance, each.waiting, Integer::sum));
    int[] counts = waiting.values().stream().mapToInt(Integer::intValue).toArray();
    if (trials == 1 || Arrays.compare(counts, fewest) < 0) {
      fewest = counts;
      bestTrial = trials;
      kinds.values().forEach(each -> each.bestUrgency = each.urgency);
    }
  }
}
