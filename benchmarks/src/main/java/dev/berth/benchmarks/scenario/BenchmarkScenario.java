package dev.berth.benchmarks.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A workload to measure: a cluster, its residents, arrivals and departures.
 *
 * @param about description in one line
 * @param hosts the shapes of the hosts
 * @param demands of residents and arrivals, drawn with equal chances; at least one
 * @param occupancy share of the cluster that residents hold before the first pass, in [0, 1]
 * @param residents service classes of the residents, drawn with equal chances; a name may be
 *     repeated
 * @param arrivals service classes of the arrivals, likewise
 * @param departures which instances leave between two passes
 * @param outcome what the pass does with the arrivals
 * @param conditions what requests demand of hosts besides room
 * @param smoke sizes for a test
 * @param full sizes for a measurement
 */
public record BenchmarkScenario(
    String about,
    Hosts hosts,
    List<Demand> demands,
    double occupancy,
    List<String> residents,
    List<String> arrivals,
    Departures departures,
    Outcome outcome,
    Conditions conditions,
    Size smoke,
    Size full) {

  static final BenchmarkScenario DEFAULTS =
      new BenchmarkScenario(
          "",
          new Hosts(Hosts.Kind.ALIKE, BigDecimal.valueOf(20), BigDecimal.valueOf(80)),
          List.of(new Demand(BigDecimal.ONE, BigDecimal.valueOf(4))),
          0,
          List.of("silver", "bronze", "bronze"),
          List.of("gold"),
          Departures.OLDEST,
          Outcome.PLACED,
          Conditions.NONE,
          new Size(List.of(1), 1),
          new Size(List.of(1), 1));

  private static final int HOSTS_IN_RACK = 20;
  private static final Taint[] NO_TAINTS = {};
  private static final int ZONES = 5;
  private static final int TAINTED = 10; // two of so many hosts of a zone

  /** Checks the ranges and copies the lists. */
  public BenchmarkScenario {
    demands = List.copyOf(demands);
    residents = List.copyOf(residents);
    arrivals = List.copyOf(arrivals);
    require(!demands.isEmpty(), "demands must not be empty");
    require(occupancy >= 0 && occupancy <= 1, "occupancy must be in [0, 1]");
    requireClasses("residents", residents);
    requireClasses("arrivals", arrivals);
  }

  private static void requireClasses(String whose, List<String> classes) {
    require(
        !classes.isEmpty() && ScenarioRun.CLASS_NAMES.containsAll(classes),
        whose + " must be some of " + String.join(", ", ScenarioRun.CLASS_NAMES));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /**
   * The kind of hosts.
   *
   * @param kind where they come from
   * @param cpu of each, in cores, positive; of no importance for Google-like ones, which have
   *     shares of the largest
   * @param memory of each, in gigabytes, likewise
   */
  public record Hosts(Kind kind, BigDecimal cpu, BigDecimal memory) {

    /** Where hosts come from. */
    public enum Kind {
      /** All hosts have the same size. */
      ALIKE,
      /** See {@link GoogleHosts}. */
      GOOGLE_LIKE;

      @Override
      public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }

    /** Checks the ranges. */
    public Hosts {
      require(cpu.signum() > 0 && memory.signum() > 0, "cpu and memory must be positive");
    }
  }

  /**
   * The demand of a request.
   *
   * @param cpu positive
   * @param memory positive
   */
  public record Demand(BigDecimal cpu, BigDecimal memory) {

    /** Checks the ranges. */
    public Demand {
      require(cpu.signum() > 0 && memory.signum() > 0, "cpu and memory must be positive");
    }

    Resources resources() {
      return Resources.of(
          Dimension.CPU,
          Dimension.CPU.units(cpu),
          Dimension.MEMORY,
          Dimension.MEMORY.units(memory));
    }
  }

  /** The instances that leave between two passes. */
  public enum Departures {
    /** All instances, once another batch would fill more than four fifths of the cluster. */
    WHEN_FULL,
    /** The oldest instances, as many as arrive. */
    OLDEST,
    /** The arrivals of the last pass; the instances that they preempted return. */
    ARRIVALS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The expected outcome of arrivals. */
  public enum Outcome {
    /** Each is placed, and no instance is preempted. */
    PLACED,
    /** Each is placed, and one instance is preempted for each. */
    DISPLACING,
    /** None is placed. */
    WAITING;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What requests demand of hosts besides room. */
  public enum Conditions {
    /** Nothing; hosts have no attributes. */
    NONE,
    /** Attributes of the host, or distance to siblings. */
    CONSTRAINTS,
    /**
     * An even spread of each job over the zones, and preferably an architecture. Of the hosts, a
     * tenth repels three quarters of the requests, and a tenth discourages all.
     */
    PLACEMENT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The size of a scenario.
   *
   * @param hosts numbers of hosts to choose from, at least one, positive, each once
   * @param batch requests that arrive for one pass, positive
   */
  public record Size(List<Integer> hosts, int batch) {

    /** Checks the ranges and copies the list. */
    public Size {
      hosts = List.copyOf(hosts);
      require(
          !hosts.isEmpty()
              && hosts.stream().allMatch(each -> each > 0)
              && new HashSet<>(hosts).size() == hosts.size(),
          "hosts must be positive numbers, each once");
      require(batch > 0, "batch must be positive");
    }
  }

  /** Returns a number of hosts; a shorter list is a prefix of a longer one. */
  public List<HostSpec> hosts(int count) {
    return switch (hosts.kind) {
      case GOOGLE_LIKE -> GoogleHosts.of(count, GoogleHosts.sample());
      case ALIKE -> {
        Resources capacity = new Demand(hosts.cpu, hosts.memory).resources();
        List<HostSpec> alike = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          alike.add(new HostSpec("host-" + i, capacity, attributes(i)).withTaints(taints(i)));
        }
        yield alike;
      }
    };
  }

  private Map<String, String> attributes(int host) {
    return conditions == Conditions.NONE
        ? Map.of()
        : Map.of(
            "rack", "rack-" + host / HOSTS_IN_RACK,
            "arch", host % 3 == 0 ? "arm64" : "amd64",
            "zone", "zone-" + host % ZONES);
  }

  private Taint[] taints(int host) {
    if (conditions != Conditions.PLACEMENT) {
      return NO_TAINTS;
    }
    return switch (host / ZONES % TAINTED) {
      case 3 -> new Taint[] {Taint.noNew("reserved", "batch")};
      case 7 -> new Taint[] {Taint.preferNot("age", "old")};
      default -> NO_TAINTS;
    };
  }

  /** Returns a zone of a host; only if hosts have attributes. */
  static String zone(int number) {
    return "zone-" + number % ZONES;
  }
}
