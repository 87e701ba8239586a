package dev.berth.core;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An event that was reported to a scheduler, as JFR records it. */
@Name("dev.berth.Event")
@Label("Event")
@Category("Berth")
@Description("An event that was reported to a scheduler")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // JFR reads the fields
final class EventRecord extends Event {

  private static final EventRecord PROBE = new EventRecord(); // answers for all of its type

  @Label("Kind")
  @Description("Method of the scheduler: submit, started, completed, addHost and others")
  private @Nullable String kind;

  @Label("Refused")
  @Description("Whether the event was refused, as invalid or as a stale report")
  private boolean refused;

  static @Nullable EventRecord beginIfEnabled() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    EventRecord begun = new EventRecord();
    begun.begin();
    return begun;
  }

  /** Records the end of the event. */
  void end(String ofKind, boolean wasRefused) {
    end();
    if (shouldCommit()) {
      kind = ofKind;
      refused = wasRefused;
      commit();
    }
  }
}
