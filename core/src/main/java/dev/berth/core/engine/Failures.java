package dev.berth.core.engine;

import dev.berth.api.Constraint;
import dev.berth.api.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For which requests no host was found in one run of a pipeline: what is no host for one of them is
 * none for another that asks for the same and is no worse off, until the host changes.
 *
 * <p>That holds where room and victims decide alone: no filters, no grants, no reservations; and
 * where the preemption rule {@linkplain dev.berth.api.PreemptionRule#favoursTheWorseOff says so}. A
 * host that did not fit with all the victims that the one could take does not fit with fewer.
 */
final class Failures {

  /** Older than any change of a host. */
  static final long NEVER = 0;

  /** What makes requests ask for the same. */
  private record Kind(
      int classRank,
      Resources demand,
      List<Constraint> constraints,
      @Nullable JobRecord job,
      boolean antiAffinity) {

    static Kind of(InstanceRecord instance) {
      return new Kind(
          instance.classRecord.rank(),
          instance.request.demand(),
          instance.request.constraints(),
          instance.job,
          instance.antiAffinity);
    }
  }

  /**
   * The latest failure of a kind.
   *
   * @param value in the victim order, of who failed
   * @param version of the hosts then
   */
  private record Failure(long value, long version) {}

  private final Map<Kind, Failure> latest = new HashMap<>(); // only asked for kinds

  void clear() {
    latest.clear();
  }

  /**
   * Returns the version up to which hosts are known to be none for an instance, or {@link #NEVER}.
   */
  long knownUpTo(InstanceRecord instance) {
    if (latest.isEmpty() || instance.bag != null) {
      return NEVER;
    }
    Failure failure = latest.get(Kind.of(instance));
    return failure == null || instance.victimKey < failure.value ? NEVER : failure.version;
  }

  /** Notes that no host was found for an instance. */
  void add(InstanceRecord instance, long version) {
    if (instance.bag == null) {
      latest.put(Kind.of(instance), new Failure(instance.victimKey, version));
    }
  }
}
