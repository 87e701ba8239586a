package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.traces.internal.FileDimensions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Generates hosts that resemble those of the Google cluster trace of 2011. At its start, the trace
 * has 12,477 hosts of ten kinds. Capacities are shares of the largest host. The attribute {@code
 * platform} is A, B or C, for the three platforms of the trace.
 */
public final class GoogleLikeHosts {

  /** The name of the attribute for the platform. */
  public static final String PLATFORM = "platform";

  private static final List<Kind> KINDS =
      List.of(
          new Kind(6_672, "0.5", "0.4995", "B"),
          new Kind(3_835, "0.5", "0.2493", "B"),
          new Kind(992, "0.5", "0.749", "B"),
          new Kind(788, "1", "1", "C"),
          new Kind(123, "0.25", "0.2498", "A"),
          new Kind(54, "0.5", "0.1241", "B"),
          new Kind(5, "0.5", "0.03085", "B"),
          new Kind(4, "0.5", "0.9678", "B"),
          new Kind(3, "1", "0.5", "C"),
          new Kind(1, "0.5", "0.06158", "B"));

  private GoogleLikeHosts() {}

  /** A number of equal hosts. */
  private record Kind(int count, String cpu, String memory, String platform) {

    HostSpec host(int number) {
      return new HostSpec(
          "host-" + number,
          FileDimensions.cpuAndMemory(new BigDecimal(cpu), new BigDecimal(memory)),
          Map.of(PLATFORM, platform));
    }
  }

  /** Returns the 12,477 hosts of the trace, as a mix to draw from. */
  public static Infrastructure mix() {
    List<HostSpec> hosts = new ArrayList<>();
    for (Kind kind : KINDS) {
      for (int i = 0; i < kind.count; i++) {
        hosts.add(kind.host(hosts.size() + 1));
      }
    }
    return new Infrastructure("google-2011", hosts);
  }

  /**
   * Draws hosts. The probability of a kind is its frequency in the trace.
   *
   * @param count the number of hosts, positive
   * @param seed the random seed; for one seed, fewer hosts are a prefix of more hosts
   * @throws IllegalArgumentException if the count is not positive
   */
  public static Infrastructure of(int count, long seed) {
    refuseIf(count < 1, "number of hosts was %s, must be positive.", count);
    Random random = new Random(SeededTieBreaker.hash(seed, "google-like hosts"));
    int all = KINDS.stream().mapToInt(Kind::count).sum();
    List<HostSpec> hosts = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int place = random.nextInt(all);
      int kind = 0;
      while (place >= KINDS.get(kind).count) {
        place -= KINDS.get(kind).count;
        kind++;
      }
      hosts.add(KINDS.get(kind).host(i));
    }
    return new Infrastructure("%s google-like hosts (seed %s)".formatted(count, seed), hosts);
  }
}
