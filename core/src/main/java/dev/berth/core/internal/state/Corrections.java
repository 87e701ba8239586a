package dev.berth.core.internal.state;

import com.google.common.math.LongMath;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Trigger;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.EndedInstances.Ended;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Compares what is believed with what a fleet reports. Each difference is corrected by an event of
 * its own: hosts appear and change, instances are corrected, end or fail, unknown ones are adopted
 * or count as foreign load, and hosts that are gone are removed. Cost O(hosts + instances).
 */
public final class Corrections {

  private final ClusterState state;
  private final Events events;

  /** Prepares corrections of a cluster. */
  public Corrections(Events events) {
    this.state = events.state();
    this.events = events;
  }

  /**
   * A difference, and the event that corrects it.
   *
   * @param trigger what makes a pass due
   * @param event corrects it, or changes nothing
   */
  public record Correction(Difference difference, Trigger trigger, Runnable event) {}

  /**
   * What was found.
   *
   * @param corrections what differs, in the order in which to correct it
   * @param strays the instances to stop
   */
  public record Found(List<Correction> corrections, List<ObservedInstance> strays) {}

  /** Compares. Changes nothing. */
  public Found of(Observation observed, Reconciler reconciler, long now) {
    state.requireNotPast(now, "a reconciliation", "", "");
    return new Comparing(observed, reconciler, now).compare();
  }

  private final class Comparing {

    private final Observation observed;
    private final Reconciler reconciler;
    private final long now;
    private final Map<String, Map<Dimension, Long>> foreign = new HashMap<>(); // by host
    private final Map<String, List<ObservedInstance>> strangers = new HashMap<>(); // by host
    private final Set<String> released = new HashSet<>(); // hosts that have not gone yet
    private final Set<String> unreachable = new HashSet<>(); // hosts, as observed
    private final Map<String, Map<Dimension, Long>> arriving =
        new HashMap<>(); // by host, looked up
    private final Map<String, Dimension> scales = new HashMap<>(); // by name, looked up
    private final List<Correction> corrections = new ArrayList<>();
    private final List<ObservedInstance> strays = new ArrayList<>();

    Comparing(Observation observed, Reconciler reconciler, long now) {
      this.observed = observed;
      this.reconciler = reconciler;
      this.now = now;
    }

    Found compare() {
      observed.hosts().forEach(this::host);
      Map<String, ObservedInstance> seen = new LinkedHashMap<>();
      for (ObservedInstance each : observed.instances()) {
        if (!isOfEarlierLife(each)) {
          seen.merge(each.id(), each, this::present);
        }
      }
      List<ObservedInstance> unknown = new ArrayList<>();
      for (ObservedInstance each : observed.instances()) {
        if (observed.underWay().contains(each.id()) || released.contains(each.host())) {
          continue;
        }
        if (!each.equals(seen.get(each.id()))) {
          if (isOfEarlierLife(each) ? isCancelled(each) : isKnown(each)) {
            strays.add(each);
          }
          isForeign(each);
          continue;
        }
        InstanceRecord known = state.instanceRecord(each.id());
        if (known == null) {
          unknown.add(each);
        } else {
          known(known, each);
        }
      }
      for (Instance present : state.instances()) { // in order of admission
        InstanceRecord each = (InstanceRecord) present;
        if (each.place() != null
            && !seen.containsKey(each.id())
            && !unreachable.contains(each.place().id())
            && !observed.underWay().contains(each.id())) {
          gone(each, each.place());
        }
      }
      unknown.forEach(this::unknown);
      observed.hosts().forEach(this::foreignLoad);
      hostsGone();
      return new Found(corrections, strays);
    }

    private boolean isKnown(ObservedInstance seen) {
      return state.instanceRecord(seen.id()) != null || state.ended().get(seen.id()) != null;
    }

    /** Returns whether it is of an instance that has ended, whose id another one has now. */
    private boolean isOfEarlierLife(ObservedInstance seen) {
      Ended ended = state.ended().get(seen.id());
      return ended != null
          && state.instanceRecord(seen.id()) != null
          && seen.attempt().orElse(Integer.MAX_VALUE) <= ended.attempt();
    }

    private boolean isCancelled(ObservedInstance seen) {
      Ended ended = state.ended().get(seen.id());
      return ended != null && ended.cancelled() && seen.attempt().orElse(0) <= ended.attempt();
    }

    /** Returns which of two attempts of an instance is the present one; otherwise the later. */
    private ObservedInstance present(ObservedInstance one, ObservedInstance other) {
      InstanceRecord known = state.instanceRecord(one.id());
      int present = known == null ? 0 : known.presentAttempt();
      if (one.attempt().orElse(0) == present || other.attempt().orElse(0) == present) {
        return one.attempt().orElse(0) == present ? one : other;
      }
      return one.attempt().orElse(0) > other.attempt().orElse(0) ? one : other;
    }

    private void add(Difference difference, Trigger trigger, Runnable event) {
      corrections.add(new Correction(difference, trigger, event));
    }

    private void host(ObservedHost seen) {
      HostSpec spec = seen.spec();
      ProvidedHost provided = state.pools().provided(spec.id());
      if (provided != null && provided.state() == HostState.STOPPING) {
        released.add(spec.id());
        return;
      }
      if (spec.isUnreachable()) {
        unreachable.add(spec.id());
      }
      sum(spec.id(), seen.foreign());
      HostRecord known = state.hostRecord(spec.id());
      if (known == null) {
        refuseClash("host ", spec.id(), spec.capacity());
        add(
            new Difference.HostAppeared(spec.id()),
            Trigger.HOST_ADDED,
            () -> events.hosts().addHost(spec, now));
      } else if (!spec.equals(known.spec())) {
        events.hostChanges().requireChangeable(known, spec);
        refuseClash("host ", spec.id(), spec.capacity());
        add(
            new Difference.HostChanged(known.spec(), spec),
            Trigger.HOST_CHANGED,
            () -> events.hostChanges().changeHost(spec, now));
      }
    }

    private void known(InstanceRecord known, ObservedInstance seen) {
      HostRecord believed = known.place();
      boolean isThere = believed != null && believed.id().equals(seen.host());
      boolean isInAttempt =
          seen.attempt().isEmpty() || seen.attempt().getAsInt() == known.presentAttempt();
      if (isThere && known.state() == seen.state() && isInAttempt) {
        return;
      }
      if (!isThere) {
        arrives(seen.host(), known.request.demand());
      }
      long at = Math.max(known.stateSince(), Math.min(now, seen.since().orElse(now)));
      Runnable event =
          isThere
                  && isInAttempt
                  && known.state() == InstanceState.STARTING
                  && seen.state() == InstanceState.RUNNING
              ? () -> events.instances().start(known, at, now)
              : () -> correct(known, seen, at);
      add(
          new Difference.InstanceDiffers(
              known.id(),
              Optional.ofNullable(believed).map(HostRecord::id),
              known.state(),
              known.presentAttempt(),
              seen.host(),
              seen.state(),
              seen.attempt()),
          Trigger.HOST_CHANGED,
          event);
    }

    private void correct(InstanceRecord known, ObservedInstance seen, long at) {
      HostRecord host = state.hostRecord(seen.host());
      if (host != null) {
        events.transitions().correct(known, host, seen.state(), seen.attempt(), at, now);
      }
    }

    private void gone(InstanceRecord known, HostRecord believed) {
      boolean ended = reconciler.hasEnded(known);
      add(
          new Difference.InstanceGone(known.id(), believed.id(), known.state(), ended),
          ended ? Trigger.INSTANCE_COMPLETED : Trigger.INSTANCE_FAILED,
          ended
              ? () -> events.instances().end(known, now, now, false, OptionalLong.empty())
              : () -> events.instances().miss(known, now));
    }

    private void unknown(ObservedInstance seen) {
      Optional<Adoption> adoption = reconciler.adopt(seen);
      if (adoption.isPresent()) {
        Adoption how = adoption.get();
        events.admissions().requireAdoptable(how, seen, now);
        refuseClash("request ", how.request().id(), how.request().demand());
        arrives(seen.host(), how.request().demand());
        add(
            new Difference.InstanceUnknown(seen.id(), seen.host(), true),
            Trigger.REQUEST_ADMITTED,
            () -> events.admissions().adopt(how, seen, now));
      } else {
        if (isCancelled(seen)) {
          strays.add(seen);
        }
        isForeign(seen);
      }
    }

    private void isForeign(ObservedInstance seen) {
      sum(seen.host(), seen.holds());
      strangers.computeIfAbsent(seen.host(), id -> new ArrayList<>()).add(seen);
    }

    private void sum(String host, Resources amounts) {
      refuseClash("foreign load of host ", host, amounts);
      Map<Dimension, Long> sums = foreign.computeIfAbsent(host, id -> new HashMap<>());
      for (Dimension each : amounts.dimensions()) {
        sums.merge(each, amounts.amount(each), (a, b) -> add(host, each, a, b));
      }
    }

    /** Refuses a scale that differs from that of the cluster, or within the observation. */
    private void refuseClash(String kind, String id, Resources amounts) {
      state.refuseClash(kind, id, amounts);
      for (Dimension each : amounts.dimensions()) {
        Dimension first = scales.putIfAbsent(each.name(), each);
        if (first != null && !first.equals(each)) {
          throw Cluster.clash(kind, id, first);
        }
      }
    }

    /** Notes what an instance takes that is to arrive on a host, beside what is there now. */
    private void arrives(String host, Resources amounts) {
      Map<Dimension, Long> sums = arriving.computeIfAbsent(host, this::heldOn);
      for (Dimension each : amounts.dimensions()) {
        sums.merge(each, amounts.amount(each), (a, b) -> add(host, each, a, b));
      }
    }

    private Map<Dimension, Long> heldOn(String id) {
      Map<Dimension, Long> held = new HashMap<>();
      HostRecord host = state.hostRecord(id);
      if (host != null) {
        for (InstanceRecord each : host.residents) {
          for (int d = 0; d < each.held().length; d++) {
            held.merge(
                state.table().dimension(d), each.held()[d], (a, b) -> LongMath.saturatedAdd(a, b));
          }
        }
      }
      return held;
    }

    private long add(String host, Dimension dimension, long a, long b) {
      long sum = LongMath.saturatedAdd(a, b);
      if (sum == Long.MAX_VALUE) {
        throw Code.TOO_LARGE.refusal(
            "host %s was observed to hold more than 2^63 units of %s.", host, dimension);
      }
      return sum;
    }

    private void foreignLoad(ObservedHost seen) {
      String id = seen.spec().id();
      if (released.contains(id)) {
        return;
      }
      Resources.Builder sum = Resources.builder();
      foreign.getOrDefault(id, Map.of()).forEach(sum::put);
      Resources all = sum.build();
      if (arriving.containsKey(id)) {
        arrives(id, all);
      }
      HostRecord known = state.hostRecord(id);
      Resources believed = known == null ? Resources.none() : known.foreign();
      if (!all.equals(believed)) {
        for (ObservedInstance each : strangers.getOrDefault(id, List.of())) {
          add(new Difference.InstanceUnknown(each.id(), id, false), Trigger.HOST_CHANGED, () -> {});
        }
        add(
            new Difference.ForeignLoadChanged(id, believed, all),
            Trigger.HOST_CHANGED,
            () -> events.hostChanges().foreignLoad(id, all, now));
      }
    }

    private void hostsGone() {
      Set<String> up = new HashSet<>();
      observed.hosts().forEach(each -> up.add(each.spec().id()));
      for (HostRecord each : state.hostRecords()) {
        if (!up.contains(each.id())) {
          add(
              new Difference.HostGone(each.id()),
              Trigger.HOST_REMOVED,
              () -> events.hosts().removeHost(each.id(), now));
        }
      }
    }
  }
}
