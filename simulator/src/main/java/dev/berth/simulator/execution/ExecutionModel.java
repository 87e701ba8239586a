package dev.berth.simulator.execution;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import dev.berth.simulator.workload.ActualBehaviour;
import java.util.Optional;
import java.util.function.Function;

/**
 * The speed of running instances. The speed of an instance changes only when it becomes ready, when
 * it is resized, or when its memory need changes. If the model {@linkplain #dependsOnOthers()
 * depends on other instances}, it can also change whenever its host changes.
 */
@FunctionalInterface
public interface ExecutionModel {

  /** All instances work at full speed, whatever their grants. */
  ExecutionModel DEDICATED = work -> Slowdown.NONE;

  /**
   * An instance with less memory than it needs slows down by its performance-memory profile (MEMiC,
   * section 5.4). An instance with fewer cores than it demands slows down by its moldability
   * (section 4.2). All others work at full speed.
   */
  ExecutionModel BY_GRANT = work -> memory(work).times(cores(work));

  /**
   * Returns a model of {@linkplain Host#timeShared time-shared} hosts. The running instances of
   * such a host share its cores, as one process each: {@code n} instances on {@code c} cores work
   * at the share {@code min(1, c/n)} of the host's own speed. On all other hosts, {@link #BY_GRANT}
   * applies.
   *
   * @param alone the slowdown of an instance that is alone on a host
   */
  static ExecutionModel sharing(Function<Host, Slowdown> alone) {
    return new Sharing(alone);
  }

  /** Returns the present slowdown of an instance. */
  Slowdown slowdown(Work work);

  /**
   * Returns the slowdown of an instance if it were alone on its host. {@linkplain Slowdown#timeFor
   * The time} that its work would then take is its CPU time. Constant while it is on one host.
   */
  default Slowdown alone(Work work) {
    return slowdown(work);
  }

  /**
   * Returns whether speeds depend on the other instances of the host. If so, the simulation asks
   * for all speeds on a host again whenever one of its instances arrives, leaves, becomes ready,
   * stops or is resized. Constant.
   */
  default boolean dependsOnOthers() {
    return false;
  }

  /** A running instance at the present time. Valid during the call that receives it. */
  interface Work {

    /** Returns its request. */
    Request request();

    /** Returns its actual behaviour. */
    ActualBehaviour behaviour();

    /** Returns the memory that it needs at this point of its work, in bytes. */
    long memoryNeed();

    /** Returns its grant. */
    Resources granted();

    /** Returns its host. */
    Host host();
  }

  private static Slowdown memory(Work work) {
    Optional<PerformanceMemoryProfile> profile = work.behaviour().performance();
    if (profile.isEmpty()) {
      return Slowdown.NONE;
    }
    long granted = work.granted().amount(Dimension.MEMORY);
    return granted >= work.memoryNeed() ? Slowdown.NONE : profile.get().slowdown(granted);
  }

  private static Slowdown cores(Work work) {
    if (work.request().moldability().isEmpty()) {
      return Slowdown.NONE;
    }
    long demand = work.request().demand().amountOf(Dimension.CPU.name());
    long granted = work.granted().amountOf(Dimension.CPU.name());
    if (granted >= demand) {
      return Slowdown.NONE;
    }
    Moldability how = work.request().moldability().get();
    double share = (double) granted / demand;
    double least = how.leastShare();
    double beyond = Math.min(least / share, Slowdown.MAX_PARTS_PER_MILLION / 1e6);
    return share >= least
        ? how.slowdown(share)
        : how.slowdown(least).times(Slowdown.of(beyond)); // below the known range: in proportion
  }
}
