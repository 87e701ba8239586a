package dev.berth.benchmarks.peer;

import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.plugins.BinPackingFitnessCalculators;
import dev.berth.core.Scheduler;
import java.util.Locale;
import java.util.function.Supplier;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicy;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicyBestFit;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicyFirstFit;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicySimple;

/** The schedulers, simulators and workloads that can be measured. */
enum PeerScheduler {
  /** The policy {@code qos-driven}, which spreads. */
  BERTH_FILL,
  /** The policy {@code bin-packing}. */
  BERTH_BIN_PACKING,
  /** Evaluates every host; all hosts with room are equally good. */
  FENZO_DEFAULT,
  /** Evaluates every host and chooses the fullest. */
  FENZO_BIN_PACKING,
  /** Stops soon after the first host with room. */
  FENZO_EARLY_STOP,
  /** Continues from the host of the latest placement. */
  CLOUDSIM_FIRST_FIT,
  /** Chooses the host with the fewest free cores. */
  CLOUDSIM_BEST_FIT,
  /** Chooses the host with the most free cores. */
  CLOUDSIM_SIMPLE,
  /** Berth's simulator. */
  BERTH_SIMULATION,
  /** CloudSim's simulator. */
  CLOUDSIM_SIMULATION,
  /** The policy {@code qos-driven} where every request preempts a victim. */
  BERTH_CONTENDED,
  /** The policy {@code qos-driven} where no instance can be preempted. */
  BERTH_SATURATED,
  /** The reference model where every request preempts a victim. */
  REFERENCE_CONTENDED,
  /** Only reads the request stream. */
  STREAM;

  /** Returns the task to measure. */
  Task task() {
    return switch (this) {
      case BERTH_FILL -> berth(Scheduler.builder().policy("qos-driven"));
      case BERTH_BIN_PACKING -> berth(Scheduler.builder().policy("bin-packing"));
      case FENZO_DEFAULT -> fenzo(new TaskScheduler.Builder());
      case FENZO_BIN_PACKING ->
          fenzo(
              new TaskScheduler.Builder()
                  .withFitnessCalculator(BinPackingFitnessCalculators.cpuMemBinPacker));
      case FENZO_EARLY_STOP ->
          fenzo(new TaskScheduler.Builder().withFitnessGoodEnoughFunction(fitness -> true));
      case CLOUDSIM_FIRST_FIT -> cloudSim(VmAllocationPolicyFirstFit::new);
      case CLOUDSIM_BEST_FIT -> cloudSim(VmAllocationPolicyBestFit::new);
      case CLOUDSIM_SIMPLE -> cloudSim(VmAllocationPolicySimple::new);
      case BERTH_SIMULATION -> new BerthSimulationTask("qos-driven");
      case CLOUDSIM_SIMULATION -> new CloudSimSimulationTask();
      case BERTH_CONTENDED -> new ContendedTask("contended-pass");
      case BERTH_SATURATED -> new ContendedTask("saturated-pass");
      case REFERENCE_CONTENDED -> new ReferenceTask();
      case STREAM -> new StreamTask();
    };
  }

  private static Task berth(Scheduler.Builder scheduler) {
    return new FillTask(hosts -> new BerthPlacer(scheduler, hosts));
  }

  private static Task fenzo(TaskScheduler.Builder scheduler) {
    return new FillTask(hosts -> new FenzoPlacer(scheduler, hosts));
  }

  private static Task cloudSim(Supplier<VmAllocationPolicy> policy) {
    return new FillTask(hosts -> new CloudSimPlacer(policy.get(), hosts));
  }

  /** Returns whether it searches with several threads on several cores. */
  boolean hasThreads() {
    return this == FENZO_DEFAULT || this == FENZO_BIN_PACKING || this == FENZO_EARLY_STOP;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
