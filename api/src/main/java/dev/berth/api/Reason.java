package dev.berth.api;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Why something is not done: as data, and in words.
 *
 * <p>Immutable. The {@linkplain #kind kinds} tell a program what could help; {@link #describe}
 * tells a person.
 */
public sealed interface Reason {

  /** What could cure a refusal. */
  enum Kind {
    /** Capacity that somebody else holds: preemption, or their leaving, would help. */
    CURABLE_BY_PREEMPTION,
    /** Nothing that happens to the other instances on that host would help. */
    NOT_CURABLE,
    /** The policy asked for something that makes no sense: an error in its code. */
    POLICY_ERROR
  }

  /** Returns what could cure it. */
  Kind kind();

  /** Returns a stable word for it, for counting: {@code "short-of-capacity"}. */
  String code();

  /** Returns it in words, with the values: {@code "cpu short by 0.375"}. */
  String describe();

  /**
   * The host has enough in all but is short of free capacity, first of all in one dimension.
   *
   * @param dimension the first dimension in which it does not fit
   * @param missing by how many units, positive
   */
  record ShortOfCapacity(Dimension dimension, long missing) implements Reason {
    @Override
    public Kind kind() {
      return Kind.CURABLE_BY_PREEMPTION;
    }

    @Override
    public String code() {
      return "short-of-capacity";
    }

    @Override
    public String describe() {
      return dimension + " short by " + dimension.format(missing);
    }
  }

  /**
   * The demand exceeds what the host has in all, even if it were empty.
   *
   * @param dimension the first dimension in which it exceeds
   * @param missing by how many units, positive
   */
  record LargerThanHost(Dimension dimension, long missing) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "larger-than-host";
    }

    @Override
    public String describe() {
      return dimension + " exceeds the whole host by " + dimension.format(missing);
    }
  }

  /**
   * A placement constraint does not hold on the host.
   *
   * @param constraint the first one that does not hold
   * @param actual the host's value of the attribute, or empty where it lacks it
   */
  record ConstraintNotMet(Constraint constraint, Optional<String> actual) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "constraint-not-met";
    }

    @Override
    public String describe() {
      return "needs "
          + constraint.describe()
          + actual.map(value -> ", is " + value).orElse(", has no such attribute");
    }
  }

  /**
   * An instance of the same job is on the host, and one of the two refuses to share it.
   *
   * @param job the job
   * @param other the id of an instance that is there
   */
  record AntiAffinity(String job, String other) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "anti-affinity";
    }

    @Override
    public String describe() {
      return "anti-affinity with " + other + " of job " + job;
    }
  }

  /**
   * An action names something that the cluster does not hold.
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
    public String code() {
      return "unknown";
    }

    @Override
    public String describe() {
      return "no " + what + " " + id + " in the cluster";
    }
  }

  /**
   * An action is not possible in the state the instance is in.
   *
   * @param instance its id
   * @param rule what should have been, with what is: {@code "must be pending, is running on h1"}
   */
  record WrongState(String instance, String rule) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String code() {
      return "wrong-state";
    }

    @Override
    public String describe() {
      return "instance " + instance + " " + rule;
    }
  }

  /**
   * An action is not possible with the host, pool or bag as it is.
   *
   * @param what {@code "host"}, {@code "pool"} or {@code "bag"}
   * @param id its id
   * @param rule what should have been, with what is: {@code "must be empty to be released, r1 is on
   *     it"}
   */
  record WrongSubject(String what, String id, String rule) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String code() {
      return "wrong-subject";
    }

    @Override
    public String describe() {
      return what + " " + id + " " + rule;
    }
  }

  /**
   * The provider has no more hosts than that.
   *
   * @param pool name of the pool
   * @param asked how many were asked for
   * @param room how many there may be more
   */
  record PoolExhausted(String pool, int asked, int room) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "pool-exhausted";
    }

    @Override
    public String describe() {
      return "pool %s has room for %s more, %s were asked for".formatted(pool, room, asked);
    }
  }

  /**
   * The bag of the instance runs on the hosts of a cluster, and this is none of them.
   *
   * @param bag id of the bag
   * @param cluster the cluster it was assigned to
   */
  record OtherCluster(String bag, String cluster) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "other-cluster";
    }

    @Override
    public String describe() {
      return "bag %s runs on cluster %s".formatted(bag, cluster);
    }
  }

  /**
   * The time to live of a bag of tasks has run out.
   *
   * @param bag id of the bag
   * @param late how many nanoseconds ago, not negative
   */
  record Expired(String bag, long late) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "expired";
    }

    @Override
    public String describe() {
      return "the time of bag " + bag + " has run out";
    }
  }

  /**
   * A grant is less than what cannot be taken from the instance.
   *
   * @param dimension the first dimension in which it is
   * @param grant what it was to be granted
   * @param least what is needed at least: what is guaranteed, or, where nobody oversubscribes, the
   *     demand, or what the instance can be molded to
   */
  record GrantTooSmall(Dimension dimension, long grant, long least) implements Reason {
    @Override
    public Kind kind() {
      return Kind.POLICY_ERROR;
    }

    @Override
    public String code() {
      return "grant-too-small";
    }

    @Override
    public String describe() {
      return "%s granted would be %s, must be at least %s"
          .formatted(dimension, dimension.format(grant), dimension.format(least));
    }
  }

  /**
   * The queue waits for somebody who comes before.
   *
   * @param head the id of the one at its head
   */
  record QueuedBehind(String head) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "queued-behind";
    }

    @Override
    public String describe() {
      return "waits its turn behind " + head;
    }
  }

  /**
   * The deadline cannot be met any more.
   *
   * @param late by how many nanoseconds it would be missed if the instance started at once,
   *     positive
   */
  record DeadlineUnreachable(long late) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String code() {
      return "deadline-unreachable";
    }

    @Override
    public String describe() {
      return "would miss its deadline by %s even if it started now"
          .formatted(Duration.ofNanos(late).toString().substring(2).toLowerCase(Locale.ROOT));
    }
  }

  /**
   * A policy's own reason, to let an instance wait or to act on it.
   *
   * @param code a stable word, not blank
   * @param text what to tell a person, not blank
   */
  record PolicyChoice(String code, String text) implements Reason {
    /** Checks that both say something. */
    public PolicyChoice {
      Objects.requireNonNull(code, "code");
      if (code.isBlank() || text.isBlank()) {
        throw new IllegalArgumentException("a policy's reason needs a code and a text.");
      }
    }

    @Override
    public Kind kind() {
      return Kind.NOT_CURABLE;
    }

    @Override
    public String describe() {
      return text;
    }
  }
}
