package dev.berth.policies.qos;

import java.util.Locale;

/** Which run times {@code qos-attained} expects of single instances. */
enum Estimates {
  /** None: only what the completed instances of its class tell. */
  IGNORE,
  /** The {@linkplain dev.berth.api.Request#estimatedRunTime estimate} of its request, too. */
  USE,
  /**
   * That, or the mean of the last two of its application or, if that is unknown, of its user
   * (Tsafrir, Etsion and Feitelson 2007): what has been right more often.
   */
  LEARN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
