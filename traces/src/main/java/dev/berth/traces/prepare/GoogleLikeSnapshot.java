package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.traces.internal.FileDimensions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A generated moment in the life of a cell like that of the Google cluster trace of 2011: hosts
 * with attributes, and all production requests that need a host at that moment.
 *
 * <p>The mix of hosts and attributes, the sizes and demands of jobs, their constraints and their
 * anti-affinity resemble those of the trace. Scarce parts decide how many requests a policy can
 * place:
 *
 * <ul>
 *   <li>three jobs with anti-affinity have about as many requests as matching hosts,
 *   <li>many small jobs together fill most of some small sets of hosts,
 *   <li>requests with much memory fit only on the largest hosts,
 *   <li>one job matches no host.
 * </ul>
 *
 * @param hosts the hosts, empty
 * @param requests the requests, in random order
 * @param unplaceable how many of the requests no packing can place. All others have hosts at once
 *     in some packing, so this is the least number that a policy can leave
 */
public record GoogleLikeSnapshot(Infrastructure hosts, List<Request> requests, int unplaceable) {

  private static final String PLATFORM = "platform";
  private static final String ZONE = "zone";
  private static final String LEASED = "leased";
  private static final String FAULTY = "faulty";
  private static final String SPECIAL = "special";
  private static final String BALANCED = "balanced";
  private static final String RACK = "rack";

  private static final int LEAST_HOSTS = 100;
  private static final int LARGEST_JOB = 8; // at most one request for so many hosts
  private static final double SMALLEST_DEMAND = 0.0003;
  private static final double STEPS = 10_000; // demands are whole multiples of 1/10,000
  private static final double ROUNDING = 1e-9; // far below a step
  private static final int PATIENCE = 100; // jobs that find no room before a part counts as full

  /** Zones by platform: cumulative shares, in percent. */
  private static final Map<String, List<Zone>> ZONES =
      Map.of(
          "1", List.of(new Zone(3, 64), new Zone(13, 82), new Zone(12, 97), new Zone(11, 100)),
          "2",
              List.of(
                  new Zone(3, 59),
                  new Zone(2, 75),
                  new Zone(13, 95),
                  new Zone(12, 98),
                  new Zone(11, 100)),
          "3", List.of(new Zone(15, 64), new Zone(3, 84), new Zone(14, 98), new Zone(13, 100)));

  /** Constraints of ordinary jobs: cumulative shares, in percent. */
  private static final List<Wish> WISHES =
      List.of(
          new Wish(40, List.of()),
          new Wish(58, List.of(sound())),
          new Wish(76, List.of(platform(), sound())),
          new Wish(80, List.of(platform())),
          new Wish(84, List.of(platform(), ordinary())),
          new Wish(87, List.of(balanced())),
          new Wish(90, List.of(ordinary(), sound())),
          new Wish(92, List.of(ordinary())),
          new Wish(94, List.of(new Constraint.Equal(PLATFORM, "2"), sound())),
          new Wish(96, List.of(new Constraint.GreaterThan(PLATFORM, 1))),
          new Wish(97, List.of(new Constraint.LessThan(ZONE, 7), sound())),
          new Wish(98, List.of(new Constraint.GreaterThan(ZONE, 2), platform(), sound())),
          new Wish(99, List.of(new Constraint.Equal(LEASED, "2"))),
          new Wish(
              100,
              List.of(new Constraint.NotEqual(RACK, "1"), new Constraint.NotEqual(RACK, "2"))));

  /** Small sets of hosts, some of which small jobs fill. */
  private static final List<List<Constraint>> SCARCE =
      List.of(
          List.of(new Constraint.Equal(ZONE, "11")),
          List.of(new Constraint.Equal(ZONE, "12"), sound()),
          List.of(new Constraint.Equal(ZONE, "14")),
          List.of(new Constraint.GreaterThan(ZONE, 13)),
          List.of(new Constraint.Equal(PLATFORM, "3")),
          List.of(new Constraint.Equal(PLATFORM, "1")),
          List.of(new Constraint.LessThan(PLATFORM, 2), sound()),
          List.of(balanced(), new Constraint.Equal(ZONE, "13")),
          List.of(
              new Constraint.Equal(ZONE, "2"),
              new Constraint.Equal(LEASED, "2"),
              new Constraint.Equal(BALANCED, "0")));

  /** The hosts of the jobs that need about one host each for all of their requests. */
  private static final List<List<Constraint>> ZONES_OF_LARGE_JOBS =
      List.of(zones(2, 5), zones(4, 14), zones(0, 3));

  private record Zone(int number, int upTo) {}

  private record Wish(int upTo, List<Constraint> constraints) {}

  /** Copies the list. */
  public GoogleLikeSnapshot {
    requests = List.copyOf(requests);
  }

  /**
   * Generates a snapshot.
   *
   * @param hosts the number of hosts, at least 100; the trace has 12,477
   * @param load the demand of the placeable requests as a share of the capacity, in the dimension
   *     in which it is larger; from 0.1 to 1. In the trace it is about 0.75. The demand can end up
   *     a little higher, and at more than 0.95 lower
   * @param serviceClass the service class of all requests
   * @param seed the random seed
   * @throws IllegalArgumentException if a number is out of range
   */
  public static GoogleLikeSnapshot of(int hosts, double load, String serviceClass, long seed) {
    refuseIf(
        hosts < LEAST_HOSTS, "number of hosts was %s, must be at least %s.", hosts, LEAST_HOSTS);
    refuseIf(!(load >= 0.1 && load <= 1), "load was %s, must be from 0.1 to 1.", load);
    Random random = new Random(SeededTieBreaker.hash(seed, "google-like snapshot"));
    List<HostSpec> cell = new ArrayList<>();
    for (HostSpec each : GoogleLikeHosts.of(hosts, seed).hosts()) {
      cell.add(withAttributes(each, hosts, random));
    }
    Jobs jobs = new Jobs(cell, load, serviceClass, random);
    return new GoogleLikeSnapshot(
        new Infrastructure("%s hosts of a google-like cell (seed %s)".formatted(hosts, seed), cell),
        jobs.requests(),
        jobs.unplaceable);
  }

  private static HostSpec withAttributes(HostSpec plain, int hosts, Random random) {
    String platform =
        switch (plain.attributes().getOrDefault(GoogleLikeHosts.PLATFORM, "B")) {
          case "A" -> "1";
          case "C" -> "3";
          default -> "2";
        };
    int percent = random.nextInt(100);
    int zone =
        ZONES.getOrDefault(platform, List.of()).stream()
            .filter(each -> percent < each.upTo)
            .findFirst()
            .orElseThrow()
            .number;
    boolean faulty = random.nextInt(100) == 0;
    boolean leased = !faulty && random.nextInt(100) < ("3".equals(platform) ? 9 : 64);
    long memory = plain.capacity().amount(Dimension.MEMORY);
    boolean balanced = "2".equals(platform) && 5 * memory > 2 * Dimension.MEMORY.unitsPerWhole();
    Map<String, String> attributes = new TreeMap<>();
    attributes.put(PLATFORM, platform);
    attributes.put(ZONE, Integer.toString(zone));
    attributes.put(FAULTY, faulty ? "1" : "0");
    attributes.put(SPECIAL, balanced && random.nextInt(150) == 0 ? "1" : "0");
    attributes.put(BALANCED, balanced ? "1" : "0");
    attributes.put(RACK, Integer.toString(1 + random.nextInt(hosts / 3)));
    if (leased) {
      attributes.put(LEASED, "2");
    }
    return new HostSpec(plain.id(), plain.capacity(), attributes);
  }

  private static Constraint sound() {
    return new Constraint.Equal(FAULTY, "0");
  }

  private static Constraint ordinary() {
    return new Constraint.NotEqual(SPECIAL, "1");
  }

  private static Constraint platform() {
    return new Constraint.GreaterThan(PLATFORM, 0);
  }

  private static Constraint balanced() {
    return new Constraint.Equal(BALANCED, "1");
  }

  private static List<Constraint> zones(int above, int below) {
    return List.of(
        new Constraint.GreaterThan(ZONE, above),
        new Constraint.LessThan(ZONE, below),
        new Constraint.Equal(LEASED, "2"));
  }

  /** Draws the jobs of a snapshot, and places them while it does. */
  private static final class Jobs {

    private final List<Slot> slots;
    private final double load;
    private final String serviceClass;
    private final Random random;
    private final List<Request> requests = new ArrayList<>();
    private final Map<List<Constraint>, List<Slot>> matching = new HashMap<>(); // only looked up
    private int jobs;
    private int unplaceable;

    Jobs(List<HostSpec> hosts, double load, String serviceClass, Random random) {
      this.slots = hosts.stream().map(Slot::new).toList();
      this.load = load;
      this.serviceClass = serviceClass;
      this.random = random;
    }

    List<Request> requests() {
      drawLargeJobs();
      drawJobWithoutHost();
      drawScarceJobs();
      drawRequestsWithMuchMemory();
      drawOrdinaryJobs();
      Collections.shuffle(requests, random);
      return requests;
    }

    private void drawLargeJobs() {
      for (List<Constraint> each : ZONES_OF_LARGE_JOBS) {
        Size size = new Size(between(0.03, 0.1), between(0.015, 0.035));
        List<Slot> fitting = matching(each).stream().filter(slot -> slot.hasRoom(size)).toList();
        Job job = job(size, each, true);
        int count = (int) Math.round(fitting.size() * between(0.9, 1.02));
        job.placeOn(fitting, Math.min(count, fitting.size()));
        job.addUnplaceable(Math.max(0, count - fitting.size()));
      }
    }

    private void drawJobWithoutHost() {
      Job job =
          job(
              new Size(0.03, 0.02),
              List.of(sound(), new Constraint.GreaterThan(ZONE, 15)),
              random.nextBoolean());
      job.addUnplaceable(Math.max(1, slots.size() / 65));
    }

    /** Fills most of four small sets with small jobs. */
    private void drawScarceJobs() {
      List<List<Constraint>> sets = new ArrayList<>(SCARCE);
      Collections.shuffle(sets, random);
      for (List<Constraint> each : sets.subList(0, 4)) {
        List<Slot> eligible = matching(each);
        double most = between(0.6, 0.95);
        for (int failed = 0; failed < PATIENCE && share(eligible) < most; ) {
          Size size = new Size(Math.min(0.2, demand(0.05, 1)), Math.min(0.2, demand(0.03, 1)));
          boolean apart = random.nextInt(7) == 0;
          failed += job(size, each, apart).placeOn(eligible, 1 + random.nextInt(5)) ? 0 : 1;
        }
      }
    }

    /** Needs many of the hosts with more memory than the usual half. */
    private void drawRequestsWithMuchMemory() {
      List<Slot> large = slots.stream().filter(each -> each.memory > 0.7).toList();
      double left = large.size() * between(0.1, 0.7);
      for (int failed = 0; failed < PATIENCE && left > 0; ) {
        Size size = new Size(between(0.02, 0.25), between(0.5, 0.74));
        int count = 1 + random.nextInt(3);
        failed += job(size, List.of(), random.nextInt(7) == 0).placeOn(large, count) ? 0 : 1;
        left -= count;
      }
    }

    private void drawOrdinaryJobs() {
      for (int failed = 0; failed < PATIENCE && share(slots) < load; ) {
        int count = count();
        double shared = random.nextGaussian(); // large in one dimension is often so in the other
        Size size =
            new Size(
                Math.min(0.5, demand(0.031, 1, shared)),
                Math.min(0.45, demand(0.0155, 1.1, shared)));
        int percent = random.nextInt(100);
        List<Constraint> constraints =
            WISHES.stream()
                .filter(each -> percent < each.upTo)
                .findFirst()
                .orElseThrow()
                .constraints;
        boolean apart = random.nextInt(100) < (count < 100 ? 14 : 50);
        failed += job(size, constraints, apart).placeOn(matching(constraints), count) ? 0 : 1;
      }
    }

    /** Half of the jobs have one request; the sizes of the others follow Pareto's law. */
    private int count() {
      if (random.nextBoolean()) {
        return 1;
      }
      double drawn = 2 * StrictMath.pow(1 - random.nextDouble(), -1 / 0.75);
      return (int) Math.min(Math.max(2, slots.size() / LARGEST_JOB), drawn);
    }

    private double demand(double median, double sigma) {
      return demand(median, sigma, random.nextGaussian());
    }

    private double demand(double median, double sigma, double shared) {
      double drawn = 0.6 * shared + 0.8 * random.nextGaussian();
      return Math.max(SMALLEST_DEMAND, median * StrictMath.exp(sigma * drawn));
    }

    private double between(double least, double most) {
      return least + random.nextDouble() * (most - least);
    }

    private List<Slot> matching(List<Constraint> constraints) {
      return matching.computeIfAbsent(
          constraints, its -> slots.stream().filter(each -> each.matches(its)).toList());
    }

    /** Returns the share of the hosts that is in use, in the dimension in which it is larger. */
    private static double share(List<Slot> slots) {
      double cpu = 0;
      double memory = 0;
      double cpuLeft = 0;
      double memoryLeft = 0;
      for (Slot each : slots) {
        cpu += each.cpu;
        memory += each.memory;
        cpuLeft += each.cpuLeft;
        memoryLeft += each.memoryLeft;
      }
      return cpu == 0 ? 1 : 1 - Math.min(cpuLeft / cpu, memoryLeft / memory);
    }

    private Job job(Size size, List<Constraint> constraints, boolean apart) {
      return new Job("job-" + ++jobs, size, constraints, apart);
    }

    /** A job whose requests are equal. */
    private final class Job {

      private final String name;
      private final Size size;
      private final List<Constraint> constraints;
      private final boolean apart;
      private final Set<Slot> used = new HashSet<>(); // only looked up
      private int count;

      Job(String name, Size size, List<Constraint> constraints, boolean apart) {
        this.name = name;
        this.size = size;
        this.constraints = constraints;
        this.apart = apart;
      }

      /** Adds requests while random hosts have room; returns whether one had. */
      boolean placeOn(List<Slot> hosts, int most) {
        for (int i = 0; i < most; i++) {
          Optional<Slot> host = hostWithRoom(hosts);
          if (host.isEmpty()) {
            break;
          }
          host.get().take(size);
          used.add(host.get());
          add();
        }
        return count > 0;
      }

      private Optional<Slot> hostWithRoom(List<Slot> hosts) {
        int first = hosts.isEmpty() ? 0 : random.nextInt(hosts.size());
        for (int i = 0; i < hosts.size(); i++) {
          Slot host = hosts.get((first + i) % hosts.size());
          if (host.hasRoom(size) && !(apart && used.contains(host))) {
            return Optional.of(host);
          }
        }
        return Optional.empty();
      }

      void addUnplaceable(int surplus) {
        for (int i = 0; i < surplus; i++) {
          add();
        }
        unplaceable += surplus;
      }

      private void add() {
        Request.Builder request =
            Request.builder(name + "/" + ++count, serviceClass)
                .demand(size.resources())
                .job(name)
                .antiAffinity(apart);
        constraints.forEach(request::constraint);
        requests.add(request.build());
      }
    }
  }

  /** A demand, as shares of the largest host. */
  private record Size(double cpu, double memory) {

    Size {
      cpu = rounded(cpu);
      memory = rounded(memory);
    }

    private static double rounded(double share) {
      return Math.rint(share * STEPS) / STEPS;
    }

    Resources resources() {
      return FileDimensions.cpuAndMemory(BigDecimal.valueOf(cpu), BigDecimal.valueOf(memory));
    }
  }

  /** A host as it fills, in shares of the largest host. */
  private static final class Slot {

    private final Map<String, String> attributes;
    private final double cpu;
    private final double memory;
    private double cpuLeft;
    private double memoryLeft;

    Slot(HostSpec host) {
      this.attributes = host.attributes();
      this.cpu = share(host, Dimension.CPU);
      this.memory = share(host, Dimension.MEMORY);
      this.cpuLeft = cpu;
      this.memoryLeft = memory;
    }

    private static double share(HostSpec host, Dimension dimension) {
      return (double) host.capacity().amount(dimension) / dimension.unitsPerWhole();
    }

    boolean matches(List<Constraint> constraints) {
      return constraints.stream().allMatch(each -> each.holdsWith(attributes));
    }

    boolean hasRoom(Size size) {
      return size.cpu <= cpuLeft - ROUNDING && size.memory <= memoryLeft - ROUNDING;
    }

    void take(Size size) {
      cpuLeft -= size.cpu;
      memoryLeft -= size.memory;
    }
  }
}
