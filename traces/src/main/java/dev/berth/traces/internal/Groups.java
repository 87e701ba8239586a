package dev.berth.traces.internal;

import dev.berth.api.batch.GroupSpec;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.Field;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** How Berth's own formats write groups. */
public final class Groups {

  private Groups() {}

  /** Reads the group that a request belongs to. */
  public static Arrival.InGroup read(Field id, Optional<Field> minCount, Optional<Field> onLoss) {
    OptionalInt least =
        minCount.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(minCount.get().whole(1, Integer.MAX_VALUE));
    return new Arrival.InGroup(
        id.required(), least, onLoss.map(Groups::onLoss).orElse(GroupSpec.OnLoss.RESTORE));
  }

  private static GroupSpec.OnLoss onLoss(Field field) {
    for (GroupSpec.OnLoss each : GroupSpec.OnLoss.values()) {
      if (word(each).equals(field.required())) {
        return each;
      }
    }
    throw field.error("must be restore or release");
  }

  /** Returns the word for what happens if a group is broken. */
  public static String word(GroupSpec.OnLoss onLoss) {
    return onLoss.name().toLowerCase(Locale.ROOT);
  }
}
