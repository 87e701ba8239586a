package dev.berth.experiments.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An overloaded render farm, whose frames {@linkplain Request#losesProgress lose their work} when
 * they are preempted: the opposite of the long-running services for which QoS-driven scheduling was
 * designed.
 *
 * <p>In the first 2,000 s, a frame arrives each second, for 4 cores and 8 GB: with equal
 * probability one of five, of which one is gold, two are silver and two are bronze. It renders for
 * 300 to 900 s. The 50 hosts have room for four frames each, so they need 6,000 s for the 2,000
 * frames. Starting a frame takes 2 s.
 */
final class RenderFarm {

  static final String NAME = "render-farm";

  private static final Duration UNTIL = Duration.ofHours(4);
  private static final int FRAMES = 2_000;
  private static final int HOSTS = 50;
  private static final long SECOND = 1_000_000_000;
  private static final long GIGABYTE = Dimension.MEMORY.unitsPerWhole();
  private static final int SHORTEST = 300;
  private static final int LONGEST = 900;
  private static final List<String> CLASSES =
      List.of(
          ServiceClasses.GOLD,
          ServiceClasses.SILVER,
          ServiceClasses.SILVER,
          ServiceClasses.BRONZE,
          ServiceClasses.BRONZE);

  private RenderFarm() {}

  /**
   * Returns the scenario.
   *
   * @param seed of the classes and durations of the frames
   * @param safetyMargin φ of all classes
   */
  static Scenario scenario(long seed, Duration safetyMargin) {
    Random random = new Random(seed);
    List<Arrival> frames = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      String serviceClass = CLASSES.get(random.nextInt(CLASSES.size()));
      Request frame =
          Request.builder("frame-" + (i + 1), serviceClass)
              .demand(Machines.of(4, 8 * GIGABYTE))
              .losesProgress(true)
              .build();
      long rendering = (SHORTEST + random.nextInt(LONGEST - SHORTEST + 1)) * SECOND;
      frames.add(new Arrival(i * SECOND, frame, rendering));
    }
    return new Scenario(
        Workload.of(NAME, ServiceClasses.goldSilverBronze(safetyMargin), frames),
        new Infrastructure(
            HOSTS + " hosts of 16 cpu, 32 memory",
            Machines.alike("host-", HOSTS, Machines.of(16, 32 * GIGABYTE))),
        UNTIL,
        Overheads.of(List.of(Duration.ofSeconds(2))));
  }
}
