package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;

/** The choice of a site for one instance. */
interface SiteChoice {

  /** Called when a pass begins. */
  default void begin(Sites sites) {}

  /**
   * Returns an {@linkplain Sites#isOpen open} site; at least one is open. Closed sites still count
   * in comparisons between sites.
   */
  int choose(Instance instance, Sites sites);

  /** Called after an instance was placed on a site. */
  default void placed(int site, Sites sites) {}
}
