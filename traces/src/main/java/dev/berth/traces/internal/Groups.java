package dev.berth.traces.internal;

import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/** How Berth's own formats write groups, and how jobs become groups. */
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

  /**
   * Returns the requests of a job that arrive and end together. If it has several parts, they are a
   * group that must be complete, and their numbers follow the id of the job.
   *
   * @param describe sets the demand and more of the part with a number
   */
  public static List<Arrival> ofJob(
      long at,
      String job,
      String serviceClass,
      int parts,
      long runTime,
      ObjIntConsumer<Request.Builder> describe) {
    Optional<Arrival.InGroup> group =
        parts == 1
            ? Optional.empty()
            : Optional.of(new Arrival.InGroup(job, OptionalInt.empty(), GroupSpec.OnLoss.RELEASE));
    return IntStream.range(0, parts)
        .mapToObj(
            part -> {
              Request.Builder builder =
                  Request.builder(parts == 1 ? job : job + "/" + part, serviceClass).job(job);
              describe.accept(builder, part);
              Request request = builder.build();
              return new Arrival(
                  at, request, runTime, ActualBehaviour.asSaid(request), Optional.empty(), group);
            })
        .toList();
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
