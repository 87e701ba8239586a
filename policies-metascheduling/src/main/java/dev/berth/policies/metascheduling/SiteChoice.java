package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;

/** How a policy chooses a site for one instance. */
interface SiteChoice {

  /** A pass begins. */
  default void begin(Sites sites) {}

  /**
   * Returns a site among those that are {@linkplain Sites#isOpen open}; there is one. Closed ones
   * count where sites are compared with one another, as long as they are up.
   */
  int choose(Instance instance, Sites sites);

  /** Somebody was placed on a site. */
  default void placed(int site, Sites sites) {}
}
