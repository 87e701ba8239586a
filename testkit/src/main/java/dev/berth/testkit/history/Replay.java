package dev.berth.testkit.history;

import dev.berth.api.BagSpec;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.event.EventTarget.Feature;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Turns the steps of a history into events, one at a time, each resolved against the state of the
 * cluster after the events before it.
 */
public final class Replay {

  private final History history;
  private final ReferenceCluster cluster;
  private final Set<Feature> features;
  private final Consumer<Event> happens;
  private final Deque<String> freeIds = new ArrayDeque<>();
  private long now;
  private int submitted;
  private int bags;

  /**
   * Prepares to play a history.
   *
   * @param cluster the ledger that the steps are resolved against; empty
   * @param happens receives each event and applies it to {@code cluster} before it returns
   */
  public Replay(History history, ReferenceCluster cluster, Consumer<Event> happens) {
    this(history, cluster, EnumSet.allOf(Feature.class), happens);
  }

  /**
   * Prepares to play a history to a target that does not support all features.
   *
   * @param cluster the ledger that the steps are resolved against; empty
   * @param features the supported features; {@link Feature} says what happens without them
   * @param happens receives each event and applies it to {@code cluster} before it returns
   */
  public Replay(
      History history, ReferenceCluster cluster, Set<Feature> features, Consumer<Event> happens) {
    this.history = history;
    this.cluster = cluster;
    this.features = Set.copyOf(features);
    this.happens = happens;
    this.now = history.epoch();
  }

  /**
   * Plays the whole history: adds the hosts that are present, offers the pools, then plays each
   * step.
   */
  public void play() {
    begin();
    history.steps().forEach(this::play);
  }

  /** Adds the hosts that are present from the beginning, and offers the pools. */
  public void begin() {
    history.hosts().stream().limit(history.present()).forEach(host -> joins(host.id(), host));
    if (features.contains(Feature.POOLS)) {
      history.pools().forEach(pool -> happens.accept(new Event.PoolOffered(now, pool)));
    }
  }

  /** Plays one more step. */
  public void play(Step step) {
    if (step instanceof Step.Submit submit) {
      happens.accept(new Event.Submitted(now, request(submit.shape(), new HashSet<>())));
    } else if (step instanceof Step.SubmitBag bag) {
      submit(bag);
    } else if (step instanceof Step.CancelBag takeBack) {
      pick(takeBack.pick(), cluster.bags()).ifPresent(this::takeBack);
    } else if (step instanceof Step.Start ready) {
      pick(ready.pick(), each -> each.state() == InstanceState.STARTING)
          .ifPresent(id -> happens.accept(new Event.Started(now, id)));
    } else if (step instanceof Step.StartAll) {
      cluster
          .instances(InstanceState.STARTING)
          .forEach(each -> happens.accept(new Event.Started(now, each.id())));
    } else if (step instanceof Step.Fail fail) {
      pick(fail.pick(), each -> each.state().isOnHost())
          .ifPresent(id -> happens.accept(new Event.Failed(now, id)));
    } else if (step instanceof Step.ReportUsage use) {
      pick(use.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> happens.accept(report(id, use)));
    } else if (step instanceof Step.Complete complete) {
      pick(complete.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> ends(id, new Event.Completed(now, id, complete.cpuTime())));
    } else if (step instanceof Step.Cancel cancel) {
      pick(cancel.pick(), each -> true).ifPresent(id -> ends(id, new Event.Cancelled(now, id)));
    } else if (step instanceof Step.AddHost join) {
      pick(join.pick(), absent()).ifPresent(host -> joins(host.id(), host));
    } else if (step instanceof Step.AddOtherHost join) {
      pick(join.pick(), absent())
          .ifPresent(host -> joins(host.id(), pick(join.like(), history.hosts()).orElseThrow()));
    } else if (step instanceof Step.RemoveHost leave) {
      pick(leave.pick(), cluster.hosts())
          .ifPresent(host -> happens.accept(new Event.HostRemoved(now, host.id())));
    } else if (step instanceof Step.ReportLoad load) {
      pick(load.pick(), cluster.hosts().stream().filter(HostSpec::timeShared).toList())
          .map(host -> new Event.LoadReported(now, host.id(), load.quarters() / 4.0))
          .ifPresent(happens);
    } else if (step instanceof Step.Elapse pause) {
      now += Math.min(pause.length().toNanos(), (history.horizon() - now) / 2);
    } else if (step instanceof Step.Pass) {
      happens.accept(new Event.PassRequested(now));
    } else {
      playPoolStep(step);
    }
  }

  private void playPoolStep(Step step) {
    if (step instanceof Step.OfferPool offer) {
      pick(offer.pick(), cluster.pools())
          .map(pool -> new Event.PoolOffered(now, withLimit(pool.spec(), offer.limit())))
          .ifPresent(happens);
    } else if (step instanceof Step.HostUp up) {
      pick(up.pick(), cluster.starting()).ifPresent(id -> joins(id, offered(id)));
    } else if (step instanceof Step.OtherHostUp up) {
      pick(up.pick(), cluster.starting())
          .ifPresent(id -> joins(id, pick(up.like(), history.hosts()).orElse(offered(id))));
    } else if (step instanceof Step.AllHostsUp) {
      cluster.starting().forEach(id -> joins(id, offered(id)));
    } else if (step instanceof Step.HostStartFails away) {
      pick(away.pick(), cluster.starting())
          .ifPresent(id -> happens.accept(new Event.HostRemoved(now, id)));
    } else if (step instanceof Step.HostGone vanish) {
      pick(vanish.pick(), cluster.stopping())
          .ifPresent(id -> happens.accept(new Event.HostRemoved(now, id)));
    }
  }

  private static PoolSpec withLimit(PoolSpec pool, int limit) {
    return new PoolSpec(
        pool.name(),
        pool.capacity(),
        pool.attributes(),
        limit,
        pool.startDelay(),
        pool.stopDelay());
  }

  private HostSpec offered(String id) {
    ReferencePool pool = cluster.poolOf(id).orElseThrow();
    return pool.spec().host(id);
  }

  /** Returns the current time of the history. */
  public long now() {
    return now;
  }

  /** Creates a request with an id that is not taken, and takes that id. */
  private Request request(RequestShape shape, Set<String> taken) {
    String id = shape.reuseId() && !freeIds.isEmpty() ? freeIds.removeLast() : "r" + ++submitted;
    while (!taken.add(id)) { // the driver of a replay may have submitted this id itself
      id = "r" + ++submitted;
    }
    return shape.request(id, history.serviceClasses(), history.scale());
  }

  private void submit(Step.SubmitBag bag) {
    List<Request> requests = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    bag.shapes().forEach(shape -> requests.add(request(shape, taken)));
    if (features.contains(Feature.BAGS)) {
      BagSpec spec = new BagSpec("b" + ++bags, requests, bag.timeToLive());
      happens.accept(new Event.BagSubmitted(now, spec));
    } else {
      requests.forEach(each -> happens.accept(new Event.Submitted(now, each)));
    }
  }

  private void takeBack(ReferenceBag bag) {
    List<String> left = bag.members().stream().map(ReferenceInstance::id).toList();
    happens.accept(new Event.BagCancelled(now, bag.id()));
    freeIds.addAll(left);
  }

  private Event report(String id, Step.ReportUsage use) {
    Resources granted = cluster.instance(id).orElseThrow().granted();
    Resources.Builder used = Resources.builder();
    for (Dimension each : granted.dimensions()) {
      used.put(each, RequestOptions.share(granted.amount(each), use.eighths()));
    }
    return new Event.UsageReported(
        now, id, used.build(), history.scale().resources(use.shortfall()));
  }

  private void ends(String id, Event end) {
    happens.accept(end);
    freeIds.addLast(id);
  }

  private List<HostSpec> absent() {
    return history.hosts().stream().filter(each -> cluster.host(each.id()).isEmpty()).toList();
  }

  private void joins(String id, HostSpec like) {
    boolean shares = like.timeShared() && features.contains(Feature.TIME_SHARING);
    HostSpec spec = new HostSpec(id, like.capacity(), like.attributes(), shares);
    happens.accept(new Event.HostAdded(now, spec));
  }

  private Optional<String> pick(int pick, Predicate<ReferenceInstance> among) {
    return pick(pick, cluster.instances().stream().filter(among).toList())
        .map(ReferenceInstance::id);
  }

  private static <T> Optional<T> pick(int pick, List<T> among) {
    return among.isEmpty() ? Optional.empty() : Optional.of(among.get(pick % among.size()));
  }
}
