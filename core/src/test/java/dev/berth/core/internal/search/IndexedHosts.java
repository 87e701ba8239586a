package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Fixture: a {@link HostIndex} of hosts that offer one dimension, and what it asks of the score.
 */
final class IndexedHosts {

  static final Dimension UNIT = new Dimension("unit", 1);

  final ClusterState state = new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  final HostIndex index;

  /** The calls of the score, as "score used" or "bound least..most", since the last search. */
  final List<String> asked = new ArrayList<>();

  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));
  private int number;

  /** Makes an index by a score; see {@link #emptiestFirst} and others. */
  IndexedHosts(ResourceScore score) {
    this(score, false);
  }

  /** Makes the same, which perhaps keeps apart hosts that rules and preferences distinguish. */
  IndexedHosts(ResourceScore score, boolean byAttributes) {
    index =
        new HostIndex(
            state,
            new ResourceScore() {
              @Override
              public double score(Fit fit) {
                asked.add("score " + fit.used(0));
                return score.score(fit);
              }

              @Override
              public double upperBound(Fit least, Fit most) {
                asked.add("bound " + least.used(0) + ".." + most.used(0));
                return score.upperBound(least, most);
              }
            },
            byAttributes ? new HostSignatures(state) : null);
  }

  static ResourceScore emptiestFirst() {
    return byUsed(used -> -used);
  }

  /** Returns a score by the amount used; the bound is the better one at either end. */
  static ResourceScore byUsed(LongToDoubleFunction score) {
    return new ResourceScore() {
      @Override
      public double score(Fit fit) {
        return score.applyAsDouble(fit.used(0));
      }

      @Override
      public double upperBound(Fit least, Fit most) {
        return Math.max(score(least), score(most));
      }
    };
  }

  // ---- Events

  /** Adds hosts of one capacity that use these amounts. */
  List<HostRecord> hosts(long capacity, long... used) {
    return LongStream.of(used)
        .mapToObj(
            each -> {
              HostRecord host = join(Resources.of(UNIT, capacity));
              use(host, each);
              return host;
            })
        .toList();
  }

  HostRecord join(Resources capacity) {
    return (HostRecord) events.addHost(new HostSpec("h" + number++, capacity), 0);
  }

  void leave(HostRecord host) {
    index.remove(host);
    events.removeHost(host.id(), 0);
  }

  /** Takes capacity of a host. */
  void use(HostRecord host, long amount) {
    useUnnoticed(host, amount);
    touch(host);
  }

  /** Takes capacity of a host, but does not note that it has changed. */
  void useUnnoticed(HostRecord host, long amount) {
    state.table().take(host.slot(), new long[] {amount});
  }

  /** Notes that a host has changed. */
  void touch(HostRecord host) {
    events.loadReported(host.id(), 1, 0);
  }

  /** Sets the time; no other event follows. */
  void passAt(long time) {
    events.advanceTo(time);
  }

  /** Submits an instance of one job. */
  InstanceRecord instance(long demand) {
    Resources amounts = Resources.of(UNIT, demand);
    Request request = Request.builder("r" + number++, "only").demand(amounts).job("j").build();
    return (InstanceRecord) events.submit(request, 0);
  }

  // ---- Searches

  @Nullable HostRecord best(long demand) {
    asked.clear();
    return index.best(instance(demand), 0, 0);
  }

  /** Returns the hosts that win the tie for some instance. */
  Set<HostRecord> winners() {
    InstanceRecord instance = instance(1);
    return IntStream.range(0, 300)
        .mapToObj(draw -> index.best(instance, draw * 0x9E3779B97F4A7C15L, 0))
        .collect(Collectors.toSet());
  }
}
