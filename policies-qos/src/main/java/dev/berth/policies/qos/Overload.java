package dev.berth.policies.qos;

import java.util.Locale;

/** What {@code qos-hysteresis} does while the objectives ask for more than there is. */
enum Overload {
  /** All share the deficit, as under {@code qos-driven}. */
  EQUAL,
  /** As many as possible are kept at their objectives; the others use what room is left. */
  FULFILMENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
