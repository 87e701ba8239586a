package dev.berth.api;

import java.util.List;
import java.util.Optional;

/** One thing for the embedder to do. */
public sealed interface Action {

  /** Returns the id of the instance it is about. */
  String instance();

  /** Returns it in words: {@code "place r1 on h1"}. */
  String describe();

  /** An action on a host. */
  sealed interface OnHost extends Action {

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
  record Refuse(String instance, Reason why) implements Action {
    @Override
    public String describe() {
      return "refuse %s: %s".formatted(instance, why.describe());
    }
  }
}
