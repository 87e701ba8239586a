package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import java.util.Optional;
import java.util.function.Function;

/**
 * How fast running instances work. A speed changes only at events: when an instance gets ready, is
 * resized or needs another amount of memory, and, where the model {@linkplain #dependsOnOthers()
 * says so}, when anything changes on its host.
 */
@FunctionalInterface
public interface ExecutionModel {

  /** Everybody works at full speed, whatever it is granted. */
  ExecutionModel DEDICATED = work -> Slowdown.NONE;

  /**
   * Who is granted less memory than it needs is slowed down as its performance-memory profile says
   * (MEMiC, section 5.4); who is granted fewer cores than it demands, as its moldability says
   * (section 4.2). All others work at full speed.
   */
  ExecutionModel BY_GRANT = work -> memory(work).times(cores(work));

  /**
   * On hosts that {@linkplain Host#timeShared time-share}, whoever runs shares the cores with all
   * others that run there, one process each: of {@code n} on {@code c} cores each works at the
   * share {@code min(1, c/n)} of what the host's own speed allows. On others, {@link #BY_GRANT}.
   *
   * @param alone how much slower than at full speed somebody works alone on a host
   */
  static ExecutionModel sharing(Function<Host, Slowdown> alone) {
    return new Sharing(alone);
  }

  /** Returns how much slower than at full speed an instance works just now. */
  Slowdown slowdown(Work work);

  /**
   * Returns how much slower than at full speed it would work if nobody else were on its host:
   * {@linkplain Slowdown#timeFor the time} its work would take then is its CPU time. Constant while
   * it is on a host.
   */
  default Slowdown alone(Work work) {
    return slowdown(work);
  }

  /**
   * Returns whether speeds depend on who else is on the host; then all there are asked for again
   * whenever somebody comes, leaves, gets ready, stands still or is resized. Constant.
   */
  default boolean dependsOnOthers() {
    return false;
  }

  /** A running instance, just now; valid during the call it is passed to. */
  interface Work {

    /** Returns what it serves. */
    Request request();

    /** Returns what it really does. */
    ActualBehaviour behaviour();

    /** Returns what memory it needs at this point of its work, in bytes. */
    long memoryNeed();

    /** Returns what it is granted. */
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
        : how.slowdown(least).times(Slowdown.of(beyond)); // in proportion, below what is known
  }
}
