package dev.berth.testkit.contract;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something that a policy may do or promise; see {@link Capabilities}. */
public enum Capability {

  /** It preempts. */
  PREEMPTS,

  /** It also preempts instances that are still starting. */
  PREEMPTS_STARTING(PREEMPTS),

  /** It defers instances by its own decision and gives a reason. */
  DEFERS,

  /**
   * It does more than placing instances with their demand, preempting and deferring them: at least
   * one of the next seven.
   */
  ADJUSTS,

  /** It changes the grants of instances on their hosts. */
  RESIZES(ADJUSTS),

  /** It pauses or suspends instances. */
  SUSPENDS(ADJUSTS),

  /** It moves instances from one host to another. */
  MIGRATES(ADJUSTS),

  /** It rejects requests. */
  REJECTS(ADJUSTS),

  /** It places instances with a grant other than their demand. */
  MOLDS(ADJUSTS),

  /** It requests and releases hosts of pools. */
  SCALES(ADJUSTS),

  /**
   * It assigns bags of tasks to clusters, or cancels them. The engine itself cancels bags whose
   * time to live is over; that does not count.
   */
  ASSIGNS(ADJUSTS),

  /** It promises that no instance waits if a host has room for it. */
  CONSERVES_WORK,

  /**
   * It promises to preempt by the rules of QoS-driven scheduling (section 3.3.1). No instance is
   * preempted for one with more slack. An instance within its safety margin is preempted only for
   * one with an equal or better claim.
   */
  RESPECTS_MARGINS(PREEMPTS),

  /**
   * It promises a limit to the restarts that equally or less important instances cause: they
   * preempt an instance only while its restarts have taken at most {@link
   * SchedulerContractTest#mostRestarts} of its life.
   */
  BOUNDS_SWITCHING(PREEMPTS),

  /**
   * It promises that instances that {@linkplain dev.berth.api.Request#losesProgress lose their
   * progress} are preempted only for more important ones.
   */
  SPARES_PROGRESS(PREEMPTS),

  /**
   * It promises that equally important ones preempt an instance O(log(run time)) times: each time
   * it has run since its last start for at least a twentieth of its earlier service.
   */
  SPACES_PREEMPTIONS(PREEMPTS),

  /** It promises that each victim is necessary. */
  MINIMAL_VICTIMS(PREEMPTS),

  /** It promises that the order in which hosts joined does not affect decisions. */
  IGNORES_HOST_ORDER,

  /** It promises to keep no state from one decision to the next. */
  STATELESS,

  /**
   * It promises that a single waiting request is placed wherever it would be placed with less
   * capacity.
   */
  MONOTONE;

  private static final Set<Capability> USES = EnumSet.range(PREEMPTS, ASSIGNS);

  private final @Nullable Capability need;

  Capability() {
    this(null);
  }

  Capability(@Nullable Capability need) {
    this.need = need;
  }

  /** Returns the capabilities that are uses, not promises. */
  static Set<Capability> uses() {
    return USES;
  }

  /** Returns whether this depends on another capability. */
  boolean needs(Capability other) {
    return need == other;
  }
}
