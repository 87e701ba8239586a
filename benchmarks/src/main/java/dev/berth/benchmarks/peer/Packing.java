package dev.berth.benchmarks.peer;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How well requests were packed.
 *
 * @param unplaced requests without a host
 * @param hostsUsed hosts with a request
 * @param fullest mean over CPU and memory of the share used of the fullest hosts: of as many as the
 *     requests would at least need
 */
record Packing(int unplaced, int hostsUsed, double fullest) {

  private static final List<Dimension> DIMENSIONS = List.of(Dimension.CPU, Dimension.MEMORY);

  /**
   * Measures a placement.
   *
   * @param hosts all hosts, with equal capacities
   * @param placed where each request is, in their order; empty if nowhere
   * @throws IllegalStateException if a host holds more than its capacity
   */
  static Packing of(List<HostSpec> hosts, List<Request> requests, List<String> placed) {
    Resources capacity = hosts.get(0).capacity();
    Map<String, long[]> used = new HashMap<>();
    long[] asked = new long[DIMENSIONS.size()];
    int unplaced = 0;
    for (int i = 0; i < requests.size(); i++) {
      Resources demand = requests.get(i).demand();
      add(demand, asked);
      if (placed.get(i).isEmpty()) {
        unplaced++;
      } else {
        add(demand, used.computeIfAbsent(placed.get(i), host -> new long[DIMENSIONS.size()]));
      }
    }
    double least = 0;
    for (int d = 0; d < asked.length; d++) {
      least = Math.max(least, (double) asked[d] / capacity.amount(DIMENSIONS.get(d)));
    }
    List<Double> shares = new ArrayList<>();
    used.forEach((host, amounts) -> shares.add(share(host, amounts, capacity)));
    shares.sort((a, b) -> Double.compare(b, a));
    int needed = (int) Math.min(hosts.size(), Math.ceil(least));
    double fullest = shares.stream().limit(needed).mapToDouble(each -> each).sum() / needed;
    return new Packing(unplaced, shares.size(), fullest);
  }

  private static void add(Resources amounts, long[] sum) {
    for (int d = 0; d < sum.length; d++) {
      sum[d] += amounts.amount(DIMENSIONS.get(d));
    }
  }

  private static double share(String host, long[] amounts, Resources capacity) {
    double sum = 0;
    for (int d = 0; d < amounts.length; d++) {
      long most = capacity.amount(DIMENSIONS.get(d));
      if (amounts[d] > most) {
        throw new IllegalStateException(
            "host %s holds %s of %s, which is more than its capacity of %s."
                .formatted(host, amounts[d], DIMENSIONS.get(d), most));
      }
      sum += (double) amounts[d] / most;
    }
    return sum / amounts.length;
  }
}
