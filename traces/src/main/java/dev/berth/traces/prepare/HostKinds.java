package dev.berth.traces.prepare;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.Infrastructure;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The kinds of hosts in an infrastructure: their capacities and attributes. Remembers the latest
 * answers, because the requests of a job are alike.
 */
public final class HostKinds {

  private static final int REMEMBERED = 100_000;

  private final Collection<Kind> kinds = new LinkedHashSet<>();
  private final LoadingCache<Question, Boolean> answers =
      CacheBuilder.newBuilder().maximumSize(REMEMBERED).build(CacheLoader.from(this::fits));

  private record Kind(Resources capacity, Map<String, String> attributes) {}

  private record Question(Resources demand, List<Constraint> constraints) {}

  /** Collects the kinds of an infrastructure. */
  public HostKinds(Infrastructure infrastructure) {
    for (HostSpec host : infrastructure.hosts()) {
      kinds.add(new Kind(host.capacity(), host.attributes()));
    }
  }

  /**
   * Returns whether a request fits on a host of some kind that is empty: the host has the capacity
   * and meets the placement constraints. Cost O(kinds), or O(1) for one like the latest.
   */
  public boolean fit(Request request) {
    return answers.getUnchecked(new Question(request.demand(), request.constraints()));
  }

  private boolean fits(Question question) {
    return kinds.stream()
        .anyMatch(
            kind ->
                question.demand.fitsIn(kind.capacity)
                    && question.constraints.stream()
                        .allMatch(each -> each.holdsWith(kind.attributes)));
  }
}
