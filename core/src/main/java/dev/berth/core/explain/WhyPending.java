package dev.berth.core.explain;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Why an instance is pending: the obstacles on all hosts, with the number of hosts for each.
 *
 * @param instance its id
 * @param now the time for which the explanation holds
 * @param state its state; unless it is pending, there are no obstacles and victims
 * @param host its host, if it is not pending
 * @param hosts the number of hosts
 * @param roomyHosts number of hosts that have room for it now
 * @param contestedHosts number of hosts that would have room after preemption
 * @param obstacles the obstacles on all hosts without room; first those that preemption can cure
 * @param victims why preemption does not help, on the full hosts where it does not
 * @param deferral {@link Reason.WaitsFor} while it waits for others to complete, {@link
 *     Reason.HeldBack} while the engine holds it back after failed starts; otherwise the reason
 *     that the policy gave in the last pass, if any
 * @param policyErrors invalid actions of the policy for the instance in the last pass; usually
 *     empty
 * @param history its preemptions so far; empty if it was never preempted
 * @param group the room for its group; empty unless it is pending and its group has no member on a
 *     host, and needs several at once
 */
public record WhyPending(
    String instance,
    long now,
    InstanceState state,
    Optional<String> host,
    int hosts,
    int roomyHosts,
    int contestedHosts,
    List<Obstacle> obstacles,
    List<VictimRefusal> victims,
    Optional<Reason> deferral,
    List<Reason> policyErrors,
    Optional<PreemptionHistory> history,
    Optional<GroupRoom> group) {

  /** Code of a victim refusal: the eligible victims together do not free enough. */
  public static final String TOO_LITTLE = "too-little";

  /**
   * Code of a victim refusal: a disruption budget protects victims that would be eligible
   * otherwise.
   */
  public static final String PROTECTED = "budget";

  /**
   * Code of a victim refusal: too few members of a group would be left, and not all of them may go.
   */
  public static final String GROUP = "group";

  /** Copies the lists. */
  public WhyPending {
    obstacles = List.copyOf(obstacles);
    victims = List.copyOf(victims);
    policyErrors = List.copyOf(policyErrors);
  }

  /**
   * Returns the explanation in words: {@code "0 of 20 hosts: 20 full (cpu short by 0.375), 20 with
   * no eligible victim (12 within margin, 8 over their preemption-overhead limit)"}.
   */
  public String describe() {
    if (state != InstanceState.PENDING) {
      return instance + " is not pending: it is " + state + host.map(id -> " on " + id).orElse("");
    }
    int feasible = roomyHosts + contestedHosts;
    StringJoiner parts = new StringJoiner(", ");
    obstacles.forEach(obstacle -> parts.add(obstacle.hosts() + " " + obstacle.text()));
    List<VictimRefusal> refusals =
        victims.stream()
            .filter(each -> !each.code().equals(TOO_LITTLE) && !each.code().equals(PROTECTED))
            .toList();
    int guarded = refusals.stream().mapToInt(VictimRefusal::hosts).sum();
    if (guarded > 0) {
      parts.add(
          refusals.stream()
              .map(refusal -> refusal.hosts() + " " + refusal.text())
              .collect(Collectors.joining(", ", guarded + " with no eligible victim (", ")")));
    }
    victims.stream()
        .filter(each -> each.code().equals(TOO_LITTLE))
        .forEach(each -> parts.add(each.hosts() + " where " + each.text()));
    victims.stream()
        .filter(each -> each.code().equals(PROTECTED))
        .forEach(
            each -> parts.add(each.hosts() + " with victims that a disruption budget protects"));
    String text = feasible + " of " + hosts + " hosts" + (parts.length() > 0 ? ": " + parts : "");
    if (contestedHosts > 0) {
      text += ", " + contestedHosts + " with eligible victims";
    }
    Optional<Reason> heldBack =
        deferral.filter(why -> why instanceof Reason.HeldBack || why instanceof Reason.WaitsFor);
    boolean needsOthers =
        deferral.filter(Reason.GroupIncomplete.class::isInstance).isPresent()
            || group.filter(each -> !each.suffices()).isPresent();
    text += group.map(each -> "; " + each.describe()).orElse("");
    if (feasible > 0 && heldBack.isEmpty() && !needsOthers) {
      text += "; the next pass may place it";
    }
    text += history.map(each -> "; " + each.describe()).orElse("");
    text += heldBack.map(why -> "; it " + why.describe()).orElse("");
    text +=
        deferral
            .filter(why -> heldBack.isEmpty())
            .map(why -> "; the policy says: " + why.describe())
            .orElse("");
    return policyErrors.isEmpty()
        ? text
        : text
            + policyErrors.stream()
                .map(Reason::describe)
                .collect(Collectors.joining("; ", "; errors of the policy: ", ""));
  }

  /**
   * An obstacle that some hosts share.
   *
   * @param code the {@linkplain Reason#code code} of the reason
   * @param kind the kind of the reason, which states what could cure it
   * @param hosts number of hosts
   * @param text the obstacle or rule in words, to follow the number: {@code "full (cpu short by
   *     0.375)"}
   * @param example the reason on the first of these hosts
   */
  public record Obstacle(String code, Reason.Kind kind, int hosts, String text, Reason example) {

    /**
     * Returns the obstacle that several hosts share.
     *
     * @param alike one reason for each host, all of one code; not empty
     */
    public static Obstacle of(List<Reason> alike) {
      Reason first = alike.get(0);
      return new Obstacle(first.code(), first.kind(), alike.size(), words(first, alike), first);
    }

    private static String words(Reason first, List<Reason> alike) {
      if (first instanceof Reason.ShortOfCapacity full) {
        return missing(
            "full (%s short by %s)",
            full.dimension(), alike, each -> ((Reason.ShortOfCapacity) each).missing());
      }
      if (first instanceof Reason.LargerThanHost small) {
        return missing(
            "too small (%s exceeds them by %s)",
            small.dimension(), alike, each -> ((Reason.LargerThanHost) each).missing());
      }
      if (first instanceof Reason.ForeignLoad beside) {
        return missing(
            "beside foreign load (%s short by %s)",
            beside.dimension(), alike, each -> ((Reason.ForeignLoad) each).missing());
      }
      if (first instanceof Reason.ConstraintNotMet unmet) {
        return "where " + unmet.constraint().describe() + " does not hold";
      }
      if (first instanceof Reason.Tainted repelled) {
        return "with the taint " + repelled.taint().describe();
      }
      if (first instanceof Reason.LimitReached reached) {
        return "waiting for %s more of %s%s"
            .formatted(
                least(alike, each -> ((Reason.LimitReached) each).missing()),
                reached.limit(),
                reached.amount() == 0 ? " (the limit is 0 unless it is set)" : "");
      }
      if (first instanceof Reason.AntiAffinity sibling) {
        return "with another instance of job " + sibling.job();
      }
      if (first instanceof Reason.Cordoned
          || first instanceof Reason.Draining
          || first instanceof Reason.Drained) {
        return first.code();
      }
      if (first instanceof Reason.OverCapacity) {
        return "over their capacity";
      }
      if (first instanceof Reason.HeldBack) {
        return "held back after failed starts, until %s ns"
            .formatted(least(alike, each -> ((Reason.HeldBack) each).until()));
      }
      return first.describe();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is of another library
    private static String missing(
        String format, Dimension dimension, List<Reason> alike, ToLongFunction<Reason> missing) {
      LongSummaryStatistics all = alike.stream().mapToLong(missing).summaryStatistics();
      String least = dimension.format(all.getMin());
      String most = dimension.format(all.getMax());
      return format.formatted(
          dimension, all.getMin() == all.getMax() ? least : least + " to " + most);
    }

    private static long least(List<Reason> alike, ToLongFunction<Reason> figure) {
      return alike.stream().mapToLong(figure).min().orElseThrow();
    }
  }

  /**
   * The rule that protects the first candidate on some hosts from preemption.
   *
   * @param code the code of the policy's verdict
   * @param text the obstacle or rule in words, to follow the number: {@code "within margin"}
   * @param hosts number of hosts
   */
  public record VictimRefusal(String code, String text, int hosts) {}
}
