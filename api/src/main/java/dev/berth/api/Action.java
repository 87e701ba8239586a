package dev.berth.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One thing for the embedder to do. */
public sealed interface Action {

  /** Returns it in words: {@code "place r1 on h1"}. */
  String describe();

  /** An action on an instance. */
  sealed interface OnInstance extends Action {

    /** Returns the id of the instance it is about. */
    String instance();
  }

  /** An action on an instance and a host. */
  sealed interface OnHost extends OnInstance {

    /** Returns the id of the host it happens on. */
    String host();
  }

  /**
   * Start an instance on a host, after the victims have left it.
   *
   * @param instance id of the instance
   * @param host id of the host
   * @param victims ids of the instances that leave for it; possibly empty; each has a {@link
   *     Preempt} of its own, earlier in the plan
   * @param grant what it is to be granted there, or empty if that is its demand
   */
  record Place(String instance, String host, List<String> victims, Optional<Resources> grant)
      implements OnHost {
    /** Copies the victims. */
    public Place {
      victims = List.copyOf(victims);
    }

    /** A placement that grants the demand. */
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
   * Stop an instance; it is pending again and keeps its history.
   *
   * @param instance id of the victim
   * @param host id of the host it leaves
   * @param beneficiary id of the instance that is placed there instead, by the same plan
   */
  record Preempt(String instance, String host, String beneficiary) implements OnHost {
    @Override
    public String describe() {
      return "preempt %s on %s for %s".formatted(instance, host, beneficiary);
    }
  }

  /**
   * Change what an instance is granted where it is (vertical elasticity).
   *
   * @param instance id of the instance
   * @param host id of its host
   * @param grant what it is granted from now on
   */
  record Resize(String instance, String host, Resources grant) implements OnHost {
    @Override
    public String describe() {
      return "resize %s on %s to %s".formatted(instance, host, grant);
    }
  }

  /**
   * Stop the CPU of an instance and leave it where it is; it keeps all else that it was granted.
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
   * Write an instance out of its host and free all it holds; its image stays there.
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
   * Let a paused or suspended instance go on where it is. It is starting until it is reported
   * ready.
   *
   * @param instance id of the instance
   * @param host id of its host
   * @param grant what it is granted from now on
   */
  record Resume(String instance, String host, Resources grant) implements OnHost {
    @Override
    public String describe() {
      return "resume %s on %s with %s".formatted(instance, host, grant);
    }
  }

  /**
   * Move an instance to another host, with all it has done. It is starting there until it is
   * reported ready, whatever it was before.
   *
   * @param instance id of the instance
   * @param from id of the host it leaves
   * @param host id of the host it goes to
   * @param grant what it is granted there
   */
  record Migrate(String instance, String from, String host, Resources grant) implements OnHost {
    @Override
    public String describe() {
      return "migrate %s from %s to %s with %s".formatted(instance, from, host, grant);
    }
  }

  /**
   * Turn a request down: it will not be served. Its instance is done.
   *
   * @param instance id of the instance, which was pending
   * @param why what to tell the user
   */
  record Reject(String instance, Reason why) implements OnInstance {
    @Override
    public String describe() {
      return "reject %s: %s".formatted(instance, why.describe());
    }
  }

  /**
   * Ask a provider for hosts. Each is to be started and reported by {@code addHost} when it is up,
   * or by {@code removeHost} when it is clear that it will not be, at once if the provider refuses.
   *
   * @param pool name of the pool
   * @param hosts the ids they are to be reported by, not empty
   * @param cluster the cluster they belong to, or empty for none
   * @param expiresAt until when they are wanted, unless somebody needs them for longer; empty:
   *     until they are released
   */
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
   * Give a host back to its provider. Nobody is on it; whoever the same plan moves off it is to
   * have left before it is stopped. It is reported by {@code removeHost} when it is gone.
   *
   * @param host id of the host
   * @param pool name of its pool
   */
  record Release(String host, String pool) implements Action {
    @Override
    public String describe() {
      return "release %s to %s".formatted(host, pool);
    }
  }

  /**
   * Let a bag of tasks run on the hosts of a cluster from now on; nothing is to be done but to know
   * it.
   *
   * @param bag id of the bag
   * @param cluster name of the cluster
   * @param expiresAt when the bag is cancelled unless it is done, or empty if it never is
   */
  record Assign(String bag, String cluster, OptionalLong expiresAt) implements Action {
    @Override
    public String describe() {
      return "assign bag %s to cluster %s".formatted(bag, cluster);
    }
  }

  /**
   * Stop all that is left of a bag of tasks and tell its user; the {@linkplain Plan#endedBags
   * report} is in the same plan.
   *
   * @param bag id of the bag
   * @param instances ids of its instances that were not done, in order of admission; they are now
   * @param why what to tell the user
   */
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
