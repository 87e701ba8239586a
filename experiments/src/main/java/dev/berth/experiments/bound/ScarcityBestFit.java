package dev.berth.experiments.bound;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The plainest packing of many requests at once, as a reference for policies: best fit in order of
 * scarcity. The requests with the fewest hosts that fit come first; among equals, the largest. Each
 * goes to the host with the least room left, and none moves again.
 *
 * <p>The cost is O(requests · hosts).
 */
public final class ScarcityBestFit {

  private ScarcityBestFit() {}

  private record Shape(Resources demand, List<Constraint> constraints, Optional<String> apart) {}

  private record Batch(Shape shape, int count, List<Slot> slots, double size) {}

  /** Returns how many requests it leaves without a host; the hosts are empty at first. */
  public static int unplaced(List<HostSpec> hosts, List<Request> requests) {
    List<Slot> slots = hosts.stream().map(Slot::new).toList();
    Map<Shape, Integer> shapes = new LinkedHashMap<>();
    for (Request each : requests) {
      Optional<String> apart = each.antiAffinity() ? each.job() : Optional.empty();
      shapes.merge(new Shape(each.demand(), each.constraints(), apart), 1, Integer::sum);
    }
    Map<List<Constraint>, List<Slot>> matching = new HashMap<>();
    List<Batch> batches = new ArrayList<>();
    shapes.forEach(
        (shape, count) -> {
          List<Slot> fitting =
              matching
                  .computeIfAbsent(
                      shape.constraints,
                      its -> slots.stream().filter(each -> each.matches(its)).toList())
                  .stream()
                  .filter(each -> shape.demand.fitsIn(each.capacity))
                  .toList();
          batches.add(new Batch(shape, count, fitting, size(shape.demand)));
        });
    batches.sort(
        Comparator.<Batch>comparingInt(each -> each.slots.size())
            .thenComparing(Comparator.comparingDouble(Batch::size).reversed()));
    return batches.stream().mapToInt(ScarcityBestFit::place).sum();
  }

  private static double size(Resources demand) {
    return demand.dimensions().stream()
        .mapToDouble(each -> (double) demand.amount(each) / each.unitsPerWhole())
        .max()
        .orElse(0);
  }

  /** Returns how many of the batch stay without a host. */
  private static int place(Batch batch) {
    List<Slot> best = new ArrayList<>();
    Map<Slot, Double> left = new HashMap<>();
    for (Slot each : batch.slots) {
      if (each.hasRoom(batch.shape)) {
        best.add(each);
        left.put(each, each.left(batch.shape.demand));
      }
    }
    best.sort(Comparator.comparingDouble(left::get)); // stable: then in the order of hosts
    int unplaced = batch.count;
    for (Slot each : best) {
      while (unplaced > 0 && each.hasRoom(batch.shape)) {
        each.take(batch.shape);
        unplaced--;
      }
    }
    return unplaced;
  }

  /** A host as it fills. */
  private static final class Slot {

    private final Map<String, String> attributes;
    private final Resources capacity;
    private final Map<Dimension, Long> used = new HashMap<>();
    private final Set<String> jobs = new HashSet<>(); // with anti-affinity

    Slot(HostSpec host) {
      this.attributes = host.attributes();
      this.capacity = host.capacity();
    }

    boolean matches(List<Constraint> constraints) {
      return constraints.stream().allMatch(each -> each.holdsWith(attributes));
    }

    boolean hasRoom(Shape shape) {
      for (Dimension each : shape.demand.dimensions()) {
        if (shape.demand.amount(each) > capacity.amount(each) - used.getOrDefault(each, 0L)) {
          return false;
        }
      }
      return shape.apart.isEmpty() || !jobs.contains(shape.apart.get());
    }

    double left(Resources demand) {
      double left = 0;
      for (Dimension each : demand.dimensions()) {
        double free = capacity.amount(each) - used.getOrDefault(each, 0L) - demand.amount(each);
        left += free / capacity.amount(each);
      }
      return left;
    }

    void take(Shape shape) {
      for (Dimension each : shape.demand.dimensions()) {
        used.merge(each, shape.demand.amount(each), Long::sum);
      }
      shape.apart.ifPresent(jobs::add);
    }
  }
}
