package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long the instances of each class served until they completed, and what that tells of those
 * present.
 *
 * <p>Where single instances are {@linkplain Estimates expected} to serve for a time, the ratio of
 * their service to that time is counted too. The source whose ratio varies least decides, if that
 * varies less than the service itself; so expectations are trusted as far as they were right.
 *
 * <p>What the history tells changes at times that are known beforehand, so that tiers and refusals
 * can say how long they hold: after a minute, and then whenever the time since the first pass has
 * grown by a fourth, at least every hour.
 */
final class ServiceHistory implements PolicyMemory {

  private static final long SHORTEST = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST = Duration.ofHours(1).toNanos();

  /** The expected service to which that of others is scaled. */
  private static final double EXPECTED = (double) Duration.ofHours(1).toNanos();

  private static final String SINCE = "since";
  private static final String UNTIL = "until";
  private static final String CLASSES = "classes";

  /** How many mean services of its class an instance waits before it is served first. */
  private static final double LONG_WAIT = 100;

  private final Map<String, OfClass> classes = new LinkedHashMap<>();
  private final OfClass[] byRank;
  private final LastServices lastServices = new LastServices();
  private final List<ToLongFunction<Request>> sources; // of expected services, ns; 0: unknown
  private long since = Long.MAX_VALUE; // the first pass; none
  private long until = Long.MIN_VALUE;
  private @Nullable Map<String, Object> lastSaved; // null: not since the latest change

  ServiceHistory(List<ServiceClass> serviceClasses, Estimates estimates) {
    sources =
        switch (estimates) {
          case IGNORE -> List.of();
          case USE -> List.of(ServiceHistory::estimate);
          case LEARN -> List.of(ServiceHistory::estimate, lastServices::expected);
        };
    serviceClasses.forEach(each -> classes.put(each.name(), new OfClass(each)));
    byRank = classes.values().toArray(OfClass[]::new);
  }

  private static long estimate(Request request) {
    return request.estimatedRunTime().orElse(0);
  }

  /** What is known of a class. */
  private final class OfClass {

    private final ServiceDistribution services;
    private final List<ServiceDistribution> ratios; // by source
    private int sharpest = -1; // of the sources; none
    private String longestWaiting = ""; // an id, which may be used again; none
    private long admitted; // when it was

    OfClass(ServiceClass its) {
      services = new ServiceDistribution(its.slo(), false);
      ratios = sources.stream().map(any -> new ServiceDistribution(its.slo(), true)).toList();
    }

    void add(Completion completion) {
      services.add(completion.serviceTime());
      for (int i = 0; i < ratios.size(); i++) {
        long expected = sources.get(i).applyAsLong(completion.request());
        if (expected > 0) {
          ratios.get(i).add(ratio(completion.serviceTime(), expected));
        }
      }
    }

    void renew(List<Instance> present, long now) {
      services.renew(present.stream().mapToLong(each -> attained(each, now)));
      for (int i = 0; i < ratios.size(); i++) {
        ToLongFunction<Request> source = sources.get(i);
        ratios
            .get(i)
            .renew(
                present.stream()
                    .filter(each -> source.applyAsLong(each.request()) > 0)
                    .mapToLong(
                        each -> ratio(attained(each, now), source.applyAsLong(each.request()))));
      }
      choose();
      double longWait = LONG_WAIT * services.table().ofNew();
      longestWaiting = "";
      present.stream()
          .filter(each -> (double) each.waitingTime(now) >= longWait)
          .filter(each -> outlook(each, now).ends())
          .min(Comparator.comparingLong(Instance::admittedAt).thenComparing(Instance::id))
          .ifPresent(
              first -> {
                longestWaiting = first.id();
                admitted = first.admittedAt();
              });
    }

    void choose() {
      sharpest = -1;
      for (int i = 0; i < ratios.size(); i++) {
        if (ratios.get(i).isSharperThan(sharpest < 0 ? services : ratios.get(sharpest))) {
          sharpest = i;
        }
      }
    }

    Outlook outlook(Instance instance, long now) {
      long attained = attained(instance, now);
      long expected = sharpest < 0 ? 0 : sources.get(sharpest).applyAsLong(instance.request());
      return expected > 0
          ? new Outlook(ratios.get(sharpest).table(), (double) expected / EXPECTED, attained)
          : new Outlook(services.table(), 1, attained);
    }

    List<Object> save() {
      List<Object> all = new ArrayList<>();
      all.add(longestWaiting);
      all.add(admitted);
      all.add(services.save());
      ratios.forEach(each -> all.add(each.save()));
      return all;
    }

    void restore(@Nullable Object saved) {
      int size = 3 + ratios.size();
      List<?> all = saved == null ? Collections.nCopies(size, null) : SavedData.list(saved, size);
      longestWaiting = saved == null ? "" : SavedData.text(all.get(0));
      admitted = saved == null ? 0 : SavedData.number(all.get(1));
      services.restore(all.get(2));
      for (int i = 0; i < ratios.size(); i++) {
        ratios.get(i).restore(all.get(i + 3));
      }
      choose();
    }
  }

  private static long ratio(long service, long expected) {
    return (long) ((double) service / (double) expected * EXPECTED);
  }

  /** Counts what has completed since the latest pass, and renews what that tells if it is time. */
  void observe(SchedulingPass pass) {
    for (Completion each : pass.completions()) {
      OfClass its = classes.get(each.serviceClass().name());
      if (its != null) {
        its.add(each);
        lastServices.add(each);
        lastSaved = null;
      }
    }
    long now = pass.now();
    since = Math.min(since, now);
    if (now >= until) {
      lastSaved = null;
      renew(pass);
      until = now + Math.max(SHORTEST, Math.min(LONGEST, (now - since) / 4));
    }
  }

  private void renew(SchedulingPass pass) {
    lastServices.renew();
    Map<String, List<Instance>> present = new LinkedHashMap<>();
    classes.forEach((name, its) -> present.put(name, new ArrayList<>()));
    for (Instance each : pass.instances()) {
      List<Instance> its = present.get(each.serviceClass().name());
      if (its != null) {
        its.add(each);
      }
    }
    classes.forEach((name, its) -> its.renew(present.getOrDefault(name, List.of()), pass.now()));
  }

  /** Returns until when the outlook depends on nothing but the attained service. */
  long until() {
    return until;
  }

  /** Returns what is expected of an instance. */
  Outlook of(Instance instance, long now) {
    return ofClass(instance).outlook(instance, now);
  }

  /**
   * Returns whether no equal may overtake an instance any more: it is likely to end, has waited for
   * a hundred times the mean service of its class, and was admitted before all others of the class
   * of which that is true. So none waits for ever, yet those that are too late for their objectives
   * take little from the others.
   */
  boolean hasWaitedLongest(Instance instance) {
    OfClass its = ofClass(instance);
    return its.longestWaiting.equals(instance.id()) && its.admitted == instance.admittedAt();
  }

  private OfClass ofClass(Instance instance) {
    OfClass its = classes.get(instance.serviceClass().name());
    if (its == null) {
      throw new IllegalArgumentException(instance.serviceClass().name() + " is no service class");
    }
    return its;
  }

  /** Returns what is expected of an instance of the class with a rank. */
  Outlook of(int classRank, Instance instance, long now) {
    return byRank[classRank].outlook(instance, now);
  }

  /** Returns the service that an instance can build on: none that it loses. */
  private static long attained(Instance instance, long now) {
    if (!instance.request().losesProgress()) {
      return instance.serviceTime(now);
    }
    return instance.state() == InstanceState.RUNNING ? now - instance.stateSince() : 0;
  }

  @Override
  public Map<String, Object> save() {
    if (since == Long.MAX_VALUE) {
      return Map.of();
    }
    Map<String, Object> all = lastSaved;
    if (all == null) {
      Map<String, Object> ofClasses = new LinkedHashMap<>();
      classes.forEach((name, its) -> ofClasses.put(name, its.save()));
      all = new LinkedHashMap<>();
      all.put(SINCE, since);
      all.put(UNTIL, until);
      all.put(CLASSES, ofClasses);
      if (sources.size() > 1) {
        lastServices.save(all);
      }
      all = Collections.unmodifiableMap(all);
      lastSaved = all;
    }
    return all;
  }

  @Override
  public void restore(Map<String, Object> saved) {
    lastSaved = null;
    since = SavedData.number(saved.getOrDefault(SINCE, Long.MAX_VALUE));
    until = SavedData.number(saved.getOrDefault(UNTIL, Long.MIN_VALUE));
    lastServices.restore(saved);
    Map<?, ?> ofClasses = saved.get(CLASSES) instanceof Map<?, ?> map ? map : Map.of();
    classes.forEach((name, its) -> its.restore(ofClasses.get(name)));
  }
}
