package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Hashes of the data of a snapshot of format 1, whose records had fewer components. A snapshot of
 * that format has nothing in the others.
 */
final class FirstFormat {

  static final int NUMBER = 1;

  /** The components that files of format 1 lack. */
  private static final Map<Class<?>, Set<String>> ADDED =
      Map.of(
          RequestData.class,
          Set.of("placement", "losesProgress", "maxFailures", "payload", "maxRunTime", "after"),
          InstanceData.class,
          Set.of("stopAfter", "waitsFor"),
          HostData.class,
          Set.of("taints"));

  private FirstFormat() {}

  static long hash(InstanceData instance) {
    return PlainHash.combine(
        hash((Object) instance.withoutRequest()), hash((Object) instance.request()));
  }

  static long hash(BagData bag) {
    return PlainHash.combine(hash((Object) bag.withoutTasks()), hash((Object) bag.tasks()));
  }

  /** Returns the {@linkplain PlainHash hash} of a value without the components that were added. */
  static long hash(Object value) {
    if (value instanceof Optional<?> optional) {
      return PlainHash.combine('O', optional.isPresent() ? hash(optional.get()) : 0);
    }
    if (value instanceof List<?> list) {
      long hash = 'A';
      for (Object each : list) {
        hash = PlainHash.combine(hash, hash(each));
      }
      return PlainHash.combine(hash, list.size());
    }
    return value instanceof Record structure ? hash(structure) : PlainHash.of(value);
  }

  private static long hash(Record structure) {
    Class<?> type = structure.getClass();
    long hash = PlainHash.of(type.getSimpleName());
    for (RecordComponent each : type.getRecordComponents()) {
      if (!ADDED.getOrDefault(type, Set.of()).contains(each.getName())) {
        try {
          hash = PlainHash.combine(hash, hash(each.getAccessor().invoke(structure)));
        } catch (ReflectiveOperationException impossible) { // all records are public
          throw new IllegalStateException(impossible);
        }
      }
    }
    return hash;
  }
}
