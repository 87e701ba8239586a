package dev.berth.traces.internal;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.Field;
import java.util.Optional;

/** How Berth's own formats name the kinds of host events. */
public final class HostEventNames {

  public static final String FAILS = "fails";
  public static final String RECOVERS = "recovers";
  public static final String TAINTS = "taints";
  public static final String LIMIT = "limit";

  private HostEventNames() {}

  /** Returns the word for the kind of an event. */
  public static String word(HostEvent event) {
    if (event instanceof HostEvent.Fails) {
      return FAILS;
    } else if (event instanceof HostEvent.Recovers) {
      return RECOVERS;
    }
    return event instanceof HostEvent.Tainted ? TAINTS : LIMIT;
  }

  /**
   * Returns one of the four words.
   *
   * @throws dev.berth.traces.input.InputException if the field has another text
   */
  public static String word(Field event) {
    return switch (event.text()) {
      case FAILS, RECOVERS, TAINTS, LIMIT -> event.text();
      default ->
          throw event.error(
              "must be fails, recovers, taints or limit",
              switch (event.text()) {
                case "fail", "failed", "down" -> Optional.of("you meant \"fails\"");
                case "recover", "recovered", "up" -> Optional.of("you meant \"recovers\"");
                case "taint", "tainted" -> Optional.of("you meant \"taints\"");
                case "limits" -> Optional.of("you meant \"limit\"");
                default -> Optional.empty();
              });
    };
  }
}
