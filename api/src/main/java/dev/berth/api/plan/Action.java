package dev.berth.api.plan;

import dev.berth.api.Experimental;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.InstanceReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A step of a plan that the embedder carries out. Immutable. */
public sealed interface Action {

  /** Returns the action in words: {@code "place r1 on h1"}. */
  String describe();

  /** An action on one instance. */
  sealed interface OnInstance extends Action {

    /** Returns the id of the instance. */
    String instance();
  }

  /** An action on an instance at a host. */
  sealed interface OnHost extends OnInstance {

    /** Returns the id of the host. */
    String host();
  }

  /** An action that tells the fleet to start an instance on a host. */
  sealed interface Starts extends OnHost {

    /**
     * Returns the number of the attempt that it begins, counted for the instance from 1; see {@link
     * Instance#attempt}.
     */
    int attempt();

    /** Returns the attempt, with which the embedder reports how it went. */
    default Attempt toAttempt() {
      return new Attempt(instance(), attempt());
    }
  }

  /** An action that ends an instance for good: it is done without completing its work. */
  sealed interface Ends extends OnInstance {

    /** Returns the reason to show to the user. */
    Reason why();
  }

  /**
   * Starts an instance on a host, after its victims have left the host.
   *
   * @param instance id of the instance
   * @param host id of the host
   * @param victims ids of the instances preempted for it; possibly empty. Each has its own {@link
   *     Preempt}, earlier in the plan
   * @param grant the resources to grant; empty if they equal the demand
   * @param attempt number of the attempt that it begins, from 1
   */
  record Place(
      String instance, String host, List<String> victims, Optional<Resources> grant, int attempt)
      implements Starts {
    /** Copies the victims. */
    public Place {
      victims = List.copyOf(victims);
    }

    /** The first attempt of an instance. */
    public Place(String instance, String host, List<String> victims, Optional<Resources> grant) {
      this(instance, host, victims, grant, 1);
    }

    /** The first attempt of an instance, which grants its demand. */
    public Place(String instance, String host, List<String> victims) {
      this(instance, host, victims, Optional.empty());
    }

    @Override
    public String describe() {
      return "place %s on %s%s"
          .formatted(instance, host, grant.map(each -> " with " + each).orElse(""));
    }
  }

  /**
   * Stops an instance. It becomes pending again and keeps its history.
   *
   * @param instance id of the victim
   * @param host id of the host it leaves
   * @param beneficiary id of the instance that the same plan places there, or for a member of a
   *     group that leaves as a whole, on the host of another member
   */
  record Preempt(String instance, String host, String beneficiary) implements OnHost {
    @Override
    public String describe() {
      return "preempt %s on %s for %s".formatted(instance, host, beneficiary);
    }
  }

  /**
   * Stops an instance on a host that is draining, or that has a {@linkplain Taint.Effect#LEAVE
   * taint} which it must leave for, or of a group that is broken. It becomes pending again and
   * keeps its history. The engine decides this, not the policy. It does not count as a preemption,
   * but the time of the next start counts as {@linkplain Instance#restartOverhead restart
   * overhead}.
   *
   * @param instance id of the instance
   * @param host id of the host it leaves
   * @param why the reason
   */
  record Evict(String instance, String host, Reason why) implements OnHost {
    @Override
    public String describe() {
      return "evict %s from %s: %s".formatted(instance, host, why.describe());
    }
  }

  /**
   * Changes the grant of an instance on its host (vertical elasticity).
   *
   * @param instance id of the instance
   * @param host id of its host
   * @param grant its grant from now on
   */
  record Resize(String instance, String host, Resources grant) implements OnHost {
    @Override
    public String describe() {
      return "resize %s on %s to %s".formatted(instance, host, grant);
    }
  }

  /**
   * Stops an instance without moving it. It gives up its CPU and keeps all other resources.
   *
   * @param instance id of the instance
   * @param host id of its host
   */
  record Pause(String instance, String host) implements OnHost {
    @Override
    public String describe() {
      return "pause %s on %s".formatted(instance, host);
    }
  }

  /**
   * Writes an instance to disk and frees all its resources. Its image stays on the host.
   *
   * @param instance id of the instance
   * @param host id of its host
   */
  record Suspend(String instance, String host) implements OnHost {
    @Override
    public String describe() {
      return "suspend %s on %s".formatted(instance, host);
    }
  }

  /**
   * Resumes a paused or suspended instance on its host. It is starting until the embedder reports
   * it ready.
   *
   * @param instance id of the instance
   * @param host id of its host
   * @param grant its grant from now on
   * @param attempt number of the attempt that it begins
   */
  record Resume(String instance, String host, Resources grant, int attempt) implements Starts {
    @Override
    public String describe() {
      return "resume %s on %s with %s".formatted(instance, host, grant);
    }
  }

  /**
   * Moves an instance to another host without losing its progress. It is starting there until the
   * embedder reports it ready.
   *
   * @param instance id of the instance
   * @param from id of the host it leaves
   * @param host id of the host it moves to
   * @param grant its grant on the new host
   * @param attempt number of the attempt that it begins
   */
  record Migrate(String instance, String from, String host, Resources grant, int attempt)
      implements Starts {
    @Override
    public String describe() {
      return "migrate %s from %s to %s with %s".formatted(instance, from, host, grant);
    }
  }

  /**
   * Rejects a request for good. Its instance is done.
   *
   * @param instance id of the instance, which was pending
   * @param why the reason to show to the user
   */
  record Reject(String instance, Reason why) implements Ends {
    @Override
    public String describe() {
      return "reject %s: %s".formatted(instance, why.describe());
    }
  }

  /**
   * Stops an instance for good. It is done. The engine decides this, not the policy.
   *
   * <p>If the fleet cannot stop it, the embedder {@linkplain Rejection rejects} the action before
   * the next pass. Then the instance runs on, and the engine decides to stop it again after {@link
   * #AGAIN_AFTER}.
   *
   * @param report the service of the instance, which was running
   * @param host id of the host it leaves
   * @param why the reason to show to the user
   */
  record Stop(InstanceReport report, String host, Reason why) implements OnHost, Ends {

    /** How long after a rejection the engine stops an instance again: a minute. */
    public static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

    @Override
    public String instance() {
      return report.id();
    }

    @Override
    public String describe() {
      return "stop %s on %s: %s".formatted(instance(), host, why.describe());
    }
  }

  /**
   * Requests hosts from a provider. The embedder starts each one and reports {@code addHost} when
   * it is up. If a host cannot start, or the provider refuses, the embedder reports {@code
   * removeHost}.
   *
   * @param pool name of the pool
   * @param hosts the ids under which to report them; not empty
   * @param cluster the cluster they belong to, or empty for none
   * @param expiresAt until when they are needed; a later assignment may extend it; empty: until
   *     they are released
   */
  @Experimental
  record Provision(
      String pool, List<String> hosts, Optional<String> cluster, OptionalLong expiresAt)
      implements Action {
    /** Copies the ids. */
    public Provision {
      hosts = List.copyOf(hosts);
    }

    @Override
    public String describe() {
      String names =
          hosts.size() == 1
              ? hosts.get(0)
              : "%s hosts, %s to %s"
                  .formatted(hosts.size(), hosts.get(0), hosts.get(hosts.size() - 1));
      return "provision %s from %s%s"
          .formatted(names, pool, cluster.map(each -> " for cluster " + each).orElse(""));
    }
  }

  /**
   * Returns an empty host to its provider. Instances that the same plan moves off the host leave
   * before it stops. The embedder reports {@code removeHost} when the host is gone.
   *
   * @param host id of the host
   * @param pool name of its pool
   */
  @Experimental
  record Release(String host, String pool) implements Action {
    @Override
    public String describe() {
      return "release %s to %s".formatted(host, pool);
    }
  }

  /**
   * Assigns a bag of tasks to the hosts of a cluster. The embedder has nothing to carry out.
   *
   * @param bag id of the bag
   * @param cluster name of the cluster
   * @param expiresAt when the bag is cancelled if it is not done; empty: never
   */
  @Experimental
  record Assign(String bag, String cluster, OptionalLong expiresAt) implements Action {
    @Override
    public String describe() {
      return "assign bag %s to cluster %s".formatted(bag, cluster);
    }
  }

  /**
   * Stops all remaining instances of a bag of tasks. The same plan has the {@linkplain
   * Plan#endedBags report}.
   *
   * @param bag id of the bag
   * @param instances ids of the instances that the cancellation ends, in order of admission
   * @param why the reason to show to the user
   */
  @Experimental
  record Cancel(String bag, List<String> instances, Reason why) implements Action {
    /** Copies the ids. */
    public Cancel {
      instances = List.copyOf(instances);
    }

    @Override
    public String describe() {
      return "cancel bag %s, %s left of it: %s".formatted(bag, instances.size(), why.describe());
    }
  }
}
