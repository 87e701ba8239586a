package dev.berth.api;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a host is to be emptied. Immutable. A draining host takes no instances.
 *
 * <p>Each pass acts on draining hosts before the policy runs. It migrates an instance, which keeps
 * its progress, or evicts it, so that it is pending again. An instance that the {@linkplain
 * DisruptionBudget disruption budget} of its job protects stays meanwhile, at the deadline too.
 *
 * @param deadline when the drain ends, as a time of the scheduler; empty: never. A deadline that is
 *     past applies in the next pass
 * @param order the order in which instances leave, if several can
 * @param mode what happens before the deadline
 * @param atDeadline what happens to the instances that are left at the deadline
 * @param restarted names of service classes whose instances cannot be migrated; they are evicted
 *     instead, to start anew elsewhere
 */
public record Drain(
    OptionalLong deadline, Order order, Mode mode, AtDeadline atDeadline, Set<String> restarted) {

  /** The order in which instances leave a draining host. Equal ones leave in order of admission. */
  public enum Order {
    /** Instances of the least important classes first. */
    LEAST_IMPORTANT_FIRST,
    /** Instances of the most important classes first: they get the best of the free capacity. */
    MOST_IMPORTANT_FIRST,
    /** Instances with the longest service time so far first. */
    LONGEST_RUNNING_FIRST
  }

  /** What happens to the instances on a draining host before the deadline. */
  public enum Mode {
    /** They stay until they end. The policy may move them. */
    WAIT,
    /**
     * Each pass moves those that fit on another host. Running, paused and suspended instances
     * migrate there; starting ones, and those to be {@linkplain Drain#restarted restarted}, are
     * evicted. Instances that fit on no other host stay.
     */
    MOVE
  }

  /** What happens to the instances that are left at the deadline of a drain. */
  public enum AtDeadline {
    /** All of them are evicted, except those that migrate in {@link Mode#MOVE}. */
    EVICT,
    /** They stay until they end; nothing more is moved. The host remains closed. */
    STAY
  }

  /** Copies the set. */
  public Drain {
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(atDeadline, "atDeadline");
    Objects.requireNonNull(restarted, "restarted");
    restarted.forEach(each -> Objects.requireNonNull(each, "restarted"));
    restarted = Collections.unmodifiableSet(new TreeSet<>(restarted));
  }

  /** Returns a drain that waits until the instances end, without a deadline. */
  public static Drain waiting() {
    return new Drain(
        OptionalLong.empty(), Order.LEAST_IMPORTANT_FIRST, Mode.WAIT, AtDeadline.EVICT, Set.of());
  }

  /** Returns a drain that moves instances to other hosts, without a deadline. */
  public static Drain moving() {
    return new Drain(
        OptionalLong.empty(), Order.LEAST_IMPORTANT_FIRST, Mode.MOVE, AtDeadline.EVICT, Set.of());
  }

  /** Returns the same with a deadline, a time of the scheduler in nanoseconds. */
  public Drain until(long time) {
    return new Drain(OptionalLong.of(time), order, mode, atDeadline, restarted);
  }

  /** Returns the same with another order. */
  public Drain inOrder(Order order) {
    return new Drain(deadline, order, mode, atDeadline, restarted);
  }

  /** Returns the same with another rule for the instances that are left at the deadline. */
  public Drain atDeadline(AtDeadline atDeadline) {
    return new Drain(deadline, order, mode, atDeadline, restarted);
  }

  /** Returns the same, except that instances of some service classes restart, not migrate. */
  public Drain restarting(String... classes) {
    Objects.requireNonNull(classes, "classes");
    return restarting(List.of(classes));
  }

  /** Returns the same, except that instances of some service classes restart, not migrate. */
  public Drain restarting(Collection<String> classes) {
    Objects.requireNonNull(classes, "classes");
    return new Drain(deadline, order, mode, atDeadline, new TreeSet<>(classes));
  }

  /** Returns whether the deadline has passed at a time. */
  public boolean isOver(long now) {
    return deadline.isPresent() && deadline.getAsLong() <= now;
  }
}
