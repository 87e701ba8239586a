package dev.berth.policies.baselines;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Pending requests of a pass that are served in one turn: equivalent ones, or those of a group. */
final class PackedKind {

  final int importance;
  final long[] demand; // by dimension; of a group, that of its first member
  final Optional<String> job;
  final boolean apart; // whether each refuses to share a host with others of the job
  private final List<Constraint> constraints;
  private long places = -1; // unknown

  int size; // magnitude of a request as a share of all, a power of two
  int members;
  int waiting; // of them, after a trial
  int urgency; // number of trials that left some of them, although they could have had a host
  int bestUrgency; // in the best trial
  int turn; // in the next trial

  PackedKind(Instance first, List<Dimension> dimensions) {
    Request request = first.request();
    this.importance = first.serviceClass().importance();
    this.demand = dimensions.stream().mapToLong(request.demand()::amount).toArray();
    this.job = request.job();
    this.apart = request.antiAffinity() && job.isPresent();
    this.constraints = request.constraints();
  }

  /** Returns what the requests of a kind have in common. */
  static Object keyOf(Instance instance) {
    Request request = instance.request();
    return instance.group().isPresent()
        ? instance.group()
        : new Common(
            instance.serviceClass().importance(),
            request.demand(),
            request.constraints(),
            request.antiAffinity() ? request.job() : Optional.empty());
  }

  private record Common(
      int importance, Resources demand, List<Constraint> constraints, Optional<String> apart) {}

  /**
   * Notes its size.
   *
   * @param all what all pending requests demand, by dimension
   */
  void compareWith(double[] all) {
    double greatest = 0;
    for (int d = 0; d < all.length; d++) {
      greatest = all[d] == 0 ? greatest : Math.max(greatest, demand[d] / all[d]);
    }
    size = Math.getExponent(greatest); // coarse, so that few turns suffice
  }

  /**
   * Returns how many of its requests wait in any order.
   *
   * @param hosts those that a trial used after which some wait. No other host has room for them, so
   *     it had none before
   */
  long hopeless(Collection<PackedHost> hosts) {
    if (places < 0) {
      places = hosts.stream().mapToLong(each -> each.places(this)).sum();
    }
    return Math.max(0, members - places);
  }

  boolean mayRunOn(Host host) {
    return constraints.stream().allMatch(each -> each.holdsOn(host));
  }
}
