package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import dev.berth.api.policy.Completion;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the instances of each class served until they completed, and what that tells of those
 * present.
 *
 * <p>What it tells changes at times that are known beforehand, so that tiers and refusals can say
 * how long they hold: after a minute, and then whenever the time since the first pass has grown by
 * a fourth, at least every hour.
 */
final class ServiceHistory implements PolicyMemory {

  private static final long SHORTEST = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST = Duration.ofHours(1).toNanos();
  private static final long MOST = 4096; // completions of a class; older ones count less

  private static final String SINCE = "since";
  private static final String UNTIL = "until";
  private static final String CLASSES = "classes";

  private final Map<String, OfClass> classes = new LinkedHashMap<>();
  private final OfClass[] byRank;
  private long since = Long.MAX_VALUE; // the first pass; none
  private long until = Long.MIN_VALUE;

  ServiceHistory(List<ServiceClass> serviceClasses) {
    serviceClasses.forEach(each -> classes.put(each.name(), new OfClass(each.slo())));
    byRank = classes.values().toArray(OfClass[]::new);
  }

  /** What is known of a class: completions so far, and those that the present table counts. */
  private static final class OfClass {

    private long[] counts = none();
    private long[] sums = none(); // s
    private long[] countsThen = none();
    private long[] sumsThen = none();
    private long[] presentThen = none();
    private final Slo slo;
    private RemainingService table;

    OfClass(Slo slo) {
      this.slo = slo;
      table = derived();
    }

    private static long[] none() {
      return new long[ServiceGrid.STEPS];
    }

    void add(long service) {
      int step = ServiceGrid.step(service);
      counts[step]++;
      sums[step] += service / 1_000_000_000;
    }

    void renew(long[] present) {
      if (Arrays.stream(counts).sum() >= MOST) {
        Arrays.setAll(counts, i -> counts[i] / 2);
        Arrays.setAll(sums, i -> sums[i] / 2);
      }
      countsThen = counts.clone();
      sumsThen = sums.clone();
      presentThen = present;
      table = derived();
    }

    private RemainingService derived() {
      return new RemainingService(slo, countsThen, sumsThen, presentThen);
    }

    List<List<Long>> save() {
      List<List<Long>> all = new ArrayList<>();
      for (long[] each : List.of(counts, sums, countsThen, sumsThen, presentThen)) {
        int length = each.length;
        while (length > 0 && each[length - 1] == 0) {
          length--;
        }
        List<Long> numbers = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
          numbers.add(each[i]);
        }
        all.add(numbers);
      }
      return all;
    }

    void restore(List<?> saved) {
      counts = numbers(saved, 0);
      sums = numbers(saved, 1);
      countsThen = numbers(saved, 2);
      sumsThen = numbers(saved, 3);
      presentThen = numbers(saved, 4);
      table = derived();
    }

    private static long[] numbers(List<?> saved, int place) {
      long[] all = none();
      if (place < saved.size() && saved.get(place) instanceof List<?> numbers) {
        for (int i = 0; i < Math.min(all.length, numbers.size()); i++) {
          if (!(numbers.get(i) instanceof Long number)) {
            throw new IllegalArgumentException(
                "history had %s, must have whole numbers.".formatted(numbers.get(i)));
          }
          all[i] = number;
        }
      }
      return all;
    }
  }

  /** Counts what has completed since the latest pass, and renews what that tells if it is time. */
  void observe(SchedulingPass pass) {
    for (Completion each : pass.completions()) {
      OfClass its = classes.get(each.serviceClass().name());
      if (its != null) {
        its.add(each.serviceTime());
      }
    }
    long now = pass.now();
    since = Math.min(since, now);
    if (now >= until) {
      renew(pass);
      until = now + Math.max(SHORTEST, Math.min(LONGEST, (now - since) / 4));
    }
  }

  private void renew(SchedulingPass pass) {
    Map<String, long[]> present = new LinkedHashMap<>();
    for (Instance each : pass.instances()) {
      present
          .computeIfAbsent(each.serviceClass().name(), name -> OfClass.none())[
          ServiceGrid.step(each.serviceTime(pass.now()))]++;
    }
    classes.forEach((name, its) -> its.renew(present.getOrDefault(name, OfClass.none())));
  }

  /** Returns until when the tables stay as they are. */
  long until() {
    return until;
  }

  /** Returns the table of a class. */
  RemainingService of(String serviceClass) {
    OfClass its = classes.get(serviceClass);
    if (its == null) {
      throw new IllegalArgumentException(serviceClass + " is no service class");
    }
    return its.table;
  }

  /** Returns the table of a class by its rank. */
  RemainingService of(int classRank) {
    return byRank[classRank].table;
  }

  @Override
  public Map<String, Object> save() {
    if (since == Long.MAX_VALUE) {
      return Map.of();
    }
    Map<String, Object> saved = new LinkedHashMap<>();
    classes.forEach((name, its) -> saved.put(name, its.save()));
    return Map.of(SINCE, since, UNTIL, until, CLASSES, saved);
  }

  @Override
  public void restore(Map<String, Object> saved) {
    since = number(saved, SINCE, Long.MAX_VALUE);
    until = number(saved, UNTIL, Long.MIN_VALUE);
    Map<?, ?> all = saved.get(CLASSES) instanceof Map<?, ?> map ? map : Map.of();
    classes.forEach(
        (name, its) -> its.restore(all.get(name) instanceof List<?> list ? list : List.of()));
  }

  private static long number(Map<String, Object> saved, String name, long absent) {
    Object value = saved.getOrDefault(name, absent);
    if (value instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("%s was %s, must be a time.".formatted(name, value));
  }
}
