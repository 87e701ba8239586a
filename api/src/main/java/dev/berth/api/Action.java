package dev.berth.api;

import java.util.List;

/** One thing for the embedder to do. */
public sealed interface Action {

  /** Returns the id of the instance it is about. */
  String instance();

  /** Returns the id of the host it happens on. */
  String host();

  /**
   * Start an instance on a host, after the victims have left it.
   *
   * @param instance id of the instance
   * @param host id of the host
   * @param victims ids of the instances that leave for it; possibly empty; each has a {@link
   *     Preempt} of its own, earlier in the plan
   */
  record Place(String instance, String host, List<String> victims) implements Action {
    /** Copies the victims. */
    public Place {
      victims = List.copyOf(victims);
    }
  }

  /**
   * Stop an instance; it is pending again and keeps its history.
   *
   * @param instance id of the victim
   * @param host id of the host it leaves
   * @param beneficiary id of the instance that is placed there instead, by the same plan
   */
  record Preempt(String instance, String host, String beneficiary) implements Action {}
}
