package dev.berth.testkit.contract;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a policy may do, or promises; see {@link Capabilities}. */
public enum Capability {

  /** It preempts. */
  PREEMPTS,

  /** It preempts instances that are still starting, too. */
  PREEMPTS_STARTING(PREEMPTS),

  /** It leaves instances waiting of its own will, and says why. */
  DEFERS,

  /**
   * It does something else than to place instances with their demand, preempt and defer them: one
   * of the next seven at least.
   */
  ADJUSTS,

  /** It changes what instances are granted where they are. */
  RESIZES(ADJUSTS),

  /** It lets instances stand still, paused or suspended. */
  SUSPENDS(ADJUSTS),

  /** It moves instances from one host to another. */
  MIGRATES(ADJUSTS),

  /** It turns requests down. */
  REJECTS(ADJUSTS),

  /** It places instances with another grant than their demand. */
  MOLDS(ADJUSTS),

  /** It asks for hosts of pools, and gives them back. */
  SCALES(ADJUSTS),

  /**
   * It assigns bags of tasks to clusters, or cancels them. That those are cancelled whose time has
   * run out is not its doing.
   */
  ASSIGNS(ADJUSTS),

  /** It promises never to leave waiting whom a host has room for. */
  CONSERVES_WORK,

  /**
   * It promises to preempt by the rules of QoS-driven scheduling (section 3.3.1): nobody for
   * somebody with more slack, and nobody within the safety margin but for somebody who has an equal
   * or better claim.
   */
  RESPECTS_MARGINS(PREEMPTS),

  /** It promises to preempt nobody who could have stayed. */
  MINIMAL_VICTIMS(PREEMPTS),

  /** It promises that the order in which hosts joined decides nothing. */
  IGNORES_HOST_ORDER,

  /** It promises to remember nothing from one decision to the next. */
  STATELESS,

  /**
   * It promises that a single request, with nobody else waiting, finds a place wherever it would
   * have found one with less capacity.
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

  /** Returns those that are things to do, and no promises. */
  static Set<Capability> uses() {
    return USES;
  }

  /** Returns whether this makes sense only together with another. */
  boolean needs(Capability other) {
    return need == other;
  }
}
