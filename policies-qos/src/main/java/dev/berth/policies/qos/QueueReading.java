package dev.berth.policies.qos;

/** The orders in which {@code qos-driven} serves pending instances. */
enum QueueReading {
  /** By increasing QoS metric, whatever the class (section 3.3). */
  BY_METRIC("by-metric"),
  /**
   * Instances below their safety margins first, the more important class before the others, then by
   * increasing QoS metric. Instances at or above their margins follow, by increasing QoS metric.
   * The authors' Kubernetes prototype serves in this order, as its published log shows.
   */
  URGENT_FIRST("urgent-first");

  private final String text;

  QueueReading(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
