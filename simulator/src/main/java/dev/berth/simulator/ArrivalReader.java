package dev.berth.simulator;

import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the arrivals of a workload and joins those that are submitted as one bag or group. */
final class ArrivalReader implements AutoCloseable {

  private final String workload;
  private final ArrivalSource source;
  private final ArrayDeque<List<Arrival>> ahead = new ArrayDeque<>(); // read, not returned yet
  private @Nullable Arrival following; // read after those
  private long latest; // time of the last arrival that was read

  ArrivalReader(Workload workload) {
    this.workload = workload.name();
    this.source = workload.open();
  }

  /**
   * Returns the next submission: one request alone, or all of one bag or group; null at the end.
   *
   * @throws IllegalStateException if the workload is not in order of time
   */
  @Nullable List<Arrival> next() {
    if (ahead.isEmpty()) {
      readAhead();
    }
    return ahead.poll();
  }

  /** Reads one arrival, or all arrivals of an instant if the first is in a bag or group. */
  private void readAhead() {
    Arrival first = read();
    if (first == null || (first.bag().isEmpty() && first.group().isEmpty())) {
      if (first != null) {
        ahead.add(List.of(first));
      }
      return;
    }
    Map<String, List<Arrival>> bags = new HashMap<>();
    Map<String, List<Arrival>> groups = new HashMap<>();
    Arrival each = first;
    for (; each != null && each.at() == first.at(); each = read()) {
      Arrival joining = each;
      List<Arrival> submission =
          each.bag()
              .map(bag -> bags.computeIfAbsent(bag.id(), id -> newSubmission()))
              .or(
                  () ->
                      joining
                          .group()
                          .map(group -> groups.computeIfAbsent(group.id(), id -> newSubmission())))
              .orElseGet(this::newSubmission);
      submission.add(each);
    }
    following = each;
  }

  private List<Arrival> newSubmission() {
    List<Arrival> submission = new ArrayList<>();
    ahead.add(submission);
    return submission;
  }

  private @Nullable Arrival read() {
    Arrival kept = following;
    following = null;
    if (kept != null || !source.hasNext()) {
      return kept;
    }
    Arrival next = source.next();
    if (next.at() < latest) {
      throw new IllegalStateException(
          "workload %s: %s arrives at %s ns, after one at %s ns. Arrivals must be in order of time."
              .formatted(workload, next.request(), next.at(), latest));
    }
    latest = next.at();
    return next;
  }

  @Override
  public void close() {
    source.close();
  }
}
