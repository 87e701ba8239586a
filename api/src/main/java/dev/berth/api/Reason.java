package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The reason why an action was refused or taken, or why an instance waits, as data and in words.
 *
 * <p>Immutable. Programs use the {@linkplain #kind kind}, which states what could lift the refusal;
 * {@link #describe} is for people.
 */
public sealed interface Reason {

  /** The remedies of a refusal. */
  enum Kind {
    /** Other instances hold the capacity; preempting them would help. */
    CURABLE_BY_PREEMPTION,
    /** No change to the other instances on the host would help. */
    NOT_CURABLE,
    /** The action is invalid, which is a defect of the policy. */
    POLICY_ERROR
  }

  /** Returns what could lift the refusal; by default {@link Kind#NOT_CURABLE}. */
  default Kind kind() {
    return Kind.NOT_CURABLE;
  }

  /** Returns a stable code, for counting: the name of the type, {@code "short-of-capacity"}. */
  default String code() {
    return ReasonCode.of(getClass());
  }

  /** Returns the reason in words, with its values: {@code "cpu short by 0.375"}. */
  String describe();

  /**
   * The host is large enough but lacks free capacity.
   *
   * @param dimension the first dimension in which the demand does not fit
   * @param missing by how many units, positive
   */
  record ShortOfCapacity(Dimension dimension, long missing) implements Reason {
    @Override
    public Kind kind() {
      return Kind.CURABLE_BY_PREEMPTION;
    }

    @Override
    public String describe() {
      return dimension + " short by " + dimension.format(missing);
    }
  }

  /**
   * The demand exceeds the capacity of the host, even if it were empty.
   *
   * @param dimension the first dimension in which the demand exceeds the capacity
   * @param missing by how many units, positive
   */
  record LargerThanHost(Dimension dimension, long missing) implements Reason {
    @Override
    public String describe() {
      return dimension + " exceeds the whole host by " + dimension.format(missing);
    }
  }

  /**
   * A placement constraint does not hold on the host.
   *
   * @param constraint the first constraint that does not hold
   * @param actual the host's value of the attribute, or empty if it lacks the attribute
   */
  record ConstraintNotMet(Constraint constraint, Optional<String> actual) implements Reason {
    @Override
    public String describe() {
      return "needs "
          + constraint.describe()
          + actual.map(value -> ", is " + value).orElse(", has no such attribute");
    }
  }

  /**
   * An instance of the same job is on the host, and at least one of the two refuses to share it.
   *
   * @param job the job
   * @param other id of an instance on the host
   */
  record AntiAffinity(String job, String other) implements Reason {
    @Override
    public String describe() {
      return "anti-affinity with " + other + " of job " + job;
    }
  }

  /**
   * The host repels the instance.
   *
   * @param taint the first taint of the host that keeps the instance away: the request does not
   *     tolerate it, or only for some time, or the host {@linkplain Taint#UNREACHABLE cannot be
   *     reached}. In the last case it also keeps what is there from being changed
   */
  record Tainted(Taint taint) implements Reason {
    @Override
    public String describe() {
      return "repelled by the taint " + taint.describe();
    }
  }

  /**
   * The place of the host holds no peer that the instance must be near.
   *
   * @param rule the rule of the instance
   * @param place the place; empty if the host belongs to none
   */
  record NotNear(PlacementRule.Near rule, Optional<String> place) implements Reason {
    @Override
    public String describe() {
      return place
          .map(it -> "%s %s has no instance of %s".formatted(rule.domain(), it, peers()))
          .orElseGet(() -> "host has no %s, so it is near no %s".formatted(rule.domain(), peers()));
    }

    private String peers() {
      return rule.peers().describe();
    }
  }

  /**
   * A rule of the instance or of another one keeps the two apart.
   *
   * @param rule the rule
   * @param place the place of both
   * @param others how many other instances there are peers, or have the rule
   * @param byOthers whether the rule is that of the other instances
   */
  record KeptApart(PlacementRule.Apart rule, String place, long others, boolean byOthers)
      implements Reason {
    @Override
    public String describe() {
      return "%s %s has %s %s"
          .formatted(
              rule.domain(),
              place,
              others,
              byOthers
                  ? "that must be kept apart from " + rule.peers().describe()
                  : "of " + rule.peers().describe() + ", to be kept apart from");
    }
  }

  /**
   * The place of the host would have too many peers more than the place with the fewest.
   *
   * @param rule the rule of the instance
   * @param place the place; empty if the host belongs to none
   * @param there how many peers would be there, with the instance
   * @param fewest how many peers the place with the fewest has
   * @param emptiest that place, of several the first by name
   */
  record Uneven(
      PlacementRule.Spread rule, Optional<String> place, long there, long fewest, String emptiest)
      implements Reason {
    @Override
    public String describe() {
      return place
          .map(
              it ->
                  "%s %s would have %s of %s and %s %s has %s; %s more there, or maxSkew %s, would do"
                      .formatted(
                          rule.domain(),
                          it,
                          there,
                          rule.peers().describe(),
                          rule.domain(),
                          emptiest,
                          fewest,
                          there - fewest - rule.maxSkew(),
                          there - fewest))
          .orElseGet(
              () ->
                  "host has no %s, so %s cannot be spread to it"
                      .formatted(rule.domain(), rule.peers().describe()));
    }
  }

  /**
   * An action names a subject that is not in the cluster.
   *
   * @param what {@code "host"}, {@code "instance"}, {@code "pool"} or {@code "bag"}
   * @param id its id
   */
  record Unknown(String what, String id) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String describe() {
      return "no " + what + " " + id + " in the cluster";
    }
  }

  /**
   * An action is not possible in the current state of the instance.
   *
   * @param instance id of the instance
   * @param rule the required and the actual state: {@code "must be pending, is running on h1"}
   */
  record WrongState(String instance, String rule) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String describe() {
      return "instance " + instance + " " + rule;
    }
  }

  /**
   * An action is not possible in the current state of the host, pool or bag.
   *
   * @param what {@code "host"}, {@code "pool"} or {@code "bag"}
   * @param id its id
   * @param rule the required and the actual state: {@code "must be empty to be released, r1 is on
   *     it"}
   */
  record WrongSubject(String what, String id, String rule) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String describe() {
      return what + " " + id + " " + rule;
    }
  }

  /**
   * The pool has no room for that many hosts.
   *
   * @param pool name of the pool
   * @param requested number of hosts requested
   * @param room number of hosts that the pool has room for
   */
  record PoolExhausted(String pool, int requested, int room) implements Reason {
    @Override
    public String describe() {
      return "pool %s has room for %s more hosts, %s were requested"
          .formatted(pool, room, requested);
    }
  }

  /**
   * The bag of the instance is assigned to a cluster that the host is not part of.
   *
   * @param bag id of the bag
   * @param cluster the cluster it was assigned to
   */
  record OtherCluster(String bag, String cluster) implements Reason {
    @Override
    public String describe() {
      return "bag %s runs on cluster %s".formatted(bag, cluster);
    }
  }

  /**
   * A bag of tasks has expired.
   *
   * @param bag id of the bag
   * @param late how many nanoseconds ago, not negative
   */
  record Expired(String bag, long late) implements Reason {
    @Override
    public String describe() {
      return "bag " + bag + " has expired";
    }
  }

  /**
   * A grant is smaller than allowed.
   *
   * @param dimension the first dimension in which it is too small
   * @param grant the requested grant, in units
   * @param least the smallest allowed grant, in units: the guaranteed amount, the demand if the
   *     policy does not oversubscribe the dimension, or the amount to which the instance can be
   *     molded
   * @param oversubscribed whether the policy oversubscribes the dimension, so that the guaranteed
   *     amount is the limit
   */
  record GrantTooSmall(Dimension dimension, long grant, long least, boolean oversubscribed)
      implements Reason {

    /** A grant in a dimension that the policy does not oversubscribe. */
    public GrantTooSmall(Dimension dimension, long grant, long least) {
      this(dimension, grant, least, false);
    }

    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String describe() {
      return "%s granted would be %s, must be at least %s%s"
          .formatted(
              dimension,
              dimension.format(grant),
              dimension.format(least),
              oversubscribed
                  ? ", which the request guarantees"
                  : ", unless the policy's oversubscribes() names %s and the request guarantees less"
                      .formatted(dimension));
    }
  }

  /**
   * The host is large enough, but foreign load leaves too little.
   *
   * @param dimension the first dimension in which the demand does not fit beside foreign load
   * @param missing by how many units, positive
   */
  record ForeignLoad(Dimension dimension, long missing) implements Reason {
    @Override
    public String describe() {
      return "foreign load leaves " + dimension + " short by " + dimension.format(missing);
    }
  }

  /**
   * The host of the instance is draining, so the instance leaves it.
   *
   * @param host id of the host that it leaves
   * @param deadlinePassed whether the drain has reached its deadline
   */
  record HostDrained(String host, boolean deadlinePassed) implements Reason {
    @Override
    public String describe() {
      return deadlinePassed
          ? "the drain of " + host + " has reached its deadline"
          : host + " is draining";
    }
  }

  /**
   * The host of the instance has a taint, and the instance has stayed there as long as it may, so
   * it leaves.
   *
   * @param host id of the host that it leaves
   * @param taint the first taint of the host whose time is over, of effect {@link
   *     Taint.Effect#LEAVE}
   */
  record Expelled(String host, Taint taint) implements Reason {
    @Override
    public String describe() {
      return "the time that taint %s of %s allows is over".formatted(taint.describe(), host);
    }
  }

  /**
   * The instance has run as long as its request {@linkplain Request#maxRunTime allows}, so it is
   * stopped for good.
   *
   * @param limit the longest service time, in nanoseconds, positive
   */
  record RanTooLong(long limit) implements Reason {
    @Override
    public String describe() {
      return "its longest run time of %s is over".formatted(Duration.ofNanos(limit));
    }
  }

  /**
   * A counted limit of the cluster leaves too little for the instance.
   *
   * @param limit name of the limit
   * @param missing by how much, positive
   * @param amount how much there is of it, used or not; 0 if it was never set
   */
  record LimitReached(String limit, long missing, long amount) implements Reason {
    @Override
    public Kind kind() {
      return amount == 0 ? Kind.NOT_CURABLE : Kind.CURABLE_BY_PREEMPTION;
    }

    @Override
    public String describe() {
      return amount == 0
          ? "needs %s of limit %s, which is 0 unless it is set".formatted(missing, limit)
          : "needs %s more of limit %s, which is %s".formatted(missing, limit, amount);
    }
  }

  /** The embedder cordoned the host: it takes no instances. */
  record Cordoned() implements Reason {
    @Override
    public String describe() {
      return "is cordoned";
    }
  }

  /**
   * The embedder drains the host: it takes no instances, and those on it are to leave.
   *
   * @param deadline when the drain ends, as a time of the scheduler; empty: never
   */
  record Draining(OptionalLong deadline) implements Reason {
    @Override
    public String describe() {
      return deadline.isPresent()
          ? "is draining until %s ns".formatted(deadline.getAsLong())
          : "is draining";
    }
  }

  /** The embedder drains the host, and no instance is left on it. */
  record Drained() implements Reason {
    @Override
    public String describe() {
      return "is drained";
    }
  }

  /**
   * The instances on the host and its foreign load hold more than its capacity, which has shrunk.
   * The host takes no instances until everything fits again.
   *
   * @param dimension the first dimension in which they do
   * @param excess by how many units, positive
   */
  record OverCapacity(Dimension dimension, long excess) implements Reason {
    @Override
    public String describe() {
      return "holds %s %s more than its capacity".formatted(dimension, dimension.format(excess));
    }
  }

  /**
   * The host or the instance is held back for a time, since starts failed in a row.
   *
   * @param failures number of starts that failed in a row
   * @param until when it is no longer held back, as a time of the scheduler
   */
  record HeldBack(int failures, long until) implements Reason {
    @Override
    public String describe() {
      return "is held back until %s ns, after %s failures in a row".formatted(until, failures);
    }
  }

  /**
   * The instance may start only after others have completed; see {@link Request#after}.
   *
   * @param instances the ids of those that have not, at least one
   * @param ended the id of the first of them that ended without completing; empty if none did
   */
  record WaitsFor(List<String> instances, Optional<String> ended) implements Reason {
    private static final int NAMED = 3;

    /** Copies the list, which must not be empty. */
    public WaitsFor {
      instances = List.copyOf(instances);
      refuseIf(instances.isEmpty(), "waits for nothing.");
    }

    @Override
    public String describe() {
      int more = instances.size() - NAMED;
      return "waits for %s%s to complete%s"
          .formatted(
              String.join(", ", instances.subList(0, Math.min(NAMED, instances.size()))),
              more > 0 ? " and " + more + " more" : "",
              ended.map(id -> ", but " + id + " ended without completing").orElse(""));
    }
  }

  /**
   * The queue discipline keeps the instance behind another one.
   *
   * @param head id of the instance at the head of the queue
   */
  record QueuedBehind(String head) implements Reason {
    @Override
    public String describe() {
      return "waits its turn behind " + head;
    }
  }

  /**
   * The pass has placed as many instances as its scheduler allows. The next pass is due at once.
   *
   * @param limit the most placements of a pass
   */
  record PassFull(int limit) implements Reason {
    @Override
    public String describe() {
      return "waits for the next pass, as this one has placed " + limit;
    }
  }

  /**
   * The deadline cannot be met.
   *
   * @param late by how many nanoseconds it would be missed if the instance started at once,
   *     positive
   */
  record DeadlineUnreachable(long late) implements Reason {
    @Override
    public String describe() {
      return "would miss its deadline by %s even if it started now"
          .formatted(Duration.ofNanos(late).toString().substring(2).toLowerCase(Locale.ROOT));
    }
  }

  /**
   * A disruption budget protects the instance: no more members of its job may be taken down now.
   *
   * @param job the job
   * @param budget its budget
   * @param up number of members that are up
   * @param down number of members that are down
   * @param more number of further members that would be taken down, positive
   * @param firstDown id of the member that was admitted first, of those that are down; empty if
   *     none is
   */
  record BudgetExhausted(
      String job, DisruptionBudget budget, int up, int down, int more, Optional<String> firstDown)
      implements Reason {
    @Override
    public String describe() {
      boolean limitsDown = budget.limit() == DisruptionBudget.Limit.MAX_DOWN;
      int present = limitsDown ? down : up;
      String example =
          firstDown.map(id -> " (" + id + others() + (limitsDown ? ")" : " down)")).orElse("");
      return "job %s %s, %s %s%s%s"
          .formatted(
              job,
              limitsDown
                  ? "may have " + budget.members() + " down"
                  : "must keep " + budget.members() + " up",
              present,
              present == 1 ? "is" : "are",
              example,
              more > 1 ? ", and " + more + " would follow together" : "");
    }

    private String others() {
      return down > 1 ? " and " + (down - 1) + " more" : "";
    }
  }

  /**
   * A group has not started, since hosts were found for too few of its members.
   *
   * @param group id of the group
   * @param found for how many members a host was found, not negative
   * @param needed how many members must start together, positive
   * @param exact whether no other choice of hosts and victims finds more. Otherwise the search,
   *     which places one member after the other, found no more, which does not mean that it is
   *     impossible
   */
  record GroupIncomplete(String group, int found, int needed, boolean exact) implements Reason {
    @Override
    public String describe() {
      return (exact
              ? "%s of %s members of group %s have a host"
              : "the greedy search found hosts for %s of %s members of group %s")
          .formatted(found, needed, group);
    }
  }

  /**
   * A group has started and lost so many members that it is broken, so the others leave their hosts
   * and all start together again.
   *
   * @param group id of the group
   * @param left how many members were left on hosts, positive
   * @param needed how many must be, greater than {@code left}
   */
  record GroupBroken(String group, int left, int needed) implements Reason {
    @Override
    public String describe() {
      return "group %s has %s of %s members on hosts, so it starts again"
          .formatted(group, left, needed);
    }
  }

  /**
   * A policy's own reason for an action or for letting an instance wait.
   *
   * @param code a stable code, not blank
   * @param text the reason in words, not blank
   */
  record PolicyChoice(String code, String text) implements Reason {
    /** Checks that neither is blank. */
    public PolicyChoice {
      Objects.requireNonNull(code, "code");
      Objects.requireNonNull(text, "text");
      refuseIf(
          code.isBlank() || text.isBlank(),
          "policy choice: code was \"%s\", text was \"%s\"; neither must be blank.",
          code,
          text);
    }

    @Override
    public String describe() {
      return text;
    }
  }
}
