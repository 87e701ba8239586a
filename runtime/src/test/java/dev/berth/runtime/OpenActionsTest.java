package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.event.Event;
import dev.berth.runtime.entry.Samples;
import org.junit.jupiter.api.Test;

class OpenActionsTest {

  /** An event that no switch knows throws an error. */
  @Test
  void knowsWhatEachEventEnds() {
    for (Class<?> type : Samples.recordsOf(Event.class)) {
      Event<?> event = (Event<?>) new Samples(1).next(type);
      try {
        assertThat(OpenActions.after(event, null, new ActionQueue(1))).isEmpty();
      } catch (NullPointerException withoutAnswer) {
        assertThat(event.kind().observed()).isNotEqualTo(Event.Observed.NOTHING);
      }
    }
  }
}
