package dev.berth.testkit.history;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Turns the steps of a history into events, one at a time, each resolved against the cluster as the
 * events before it have left it.
 */
public final class Replay {

  private final History history;
  private final ReferenceCluster cluster;
  private final Consumer<Event> happens;
  private final Deque<String> freeIds = new ArrayDeque<>();
  private long now;
  private int submitted;

  /**
   * Prepares to play a history.
   *
   * @param cluster the ledger that the steps are resolved against; empty
   * @param happens takes each event and sees to it that {@code cluster} has it when it returns
   */
  public Replay(History history, ReferenceCluster cluster, Consumer<Event> happens) {
    this.history = history;
    this.cluster = cluster;
    this.happens = happens;
    this.now = history.epoch();
  }

  /** Plays it all: the hosts that are present join, then step after step happens. */
  public void play() {
    begin();
    history.steps().forEach(this::play);
  }

  /** Lets those hosts join that are present from the beginning. */
  public void begin() {
    history.hosts().stream()
        .limit(history.present())
        .forEach(host -> happens.accept(new Event.HostJoins(now, host)));
  }

  /** Plays one more step. */
  public void play(Step step) {
    if (step instanceof Step.Submit submit) {
      submit(submit.shape());
    } else if (step instanceof Step.Ready ready) {
      pick(ready.pick(), each -> each.state() == InstanceState.STARTING)
          .ifPresent(id -> happens.accept(new Event.Ready(now, id)));
    } else if (step instanceof Step.AllReady) {
      cluster
          .instances(InstanceState.STARTING)
          .forEach(each -> happens.accept(new Event.Ready(now, each.id())));
    } else if (step instanceof Step.Fail fail) {
      pick(fail.pick(), each -> each.state().isOnHost())
          .ifPresent(id -> happens.accept(new Event.Failed(now, id)));
    } else if (step instanceof Step.Use use) {
      pick(use.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> happens.accept(report(id, use)));
    } else if (step instanceof Step.Complete complete) {
      pick(complete.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> ends(id, new Event.Completed(now, id)));
    } else if (step instanceof Step.Cancel cancel) {
      pick(cancel.pick(), each -> true).ifPresent(id -> ends(id, new Event.Cancelled(now, id)));
    } else if (step instanceof Step.Join join) {
      pick(join.pick(), absent()).ifPresent(host -> joins(host, host));
    } else if (step instanceof Step.JoinAs join) {
      pick(join.pick(), absent())
          .ifPresent(host -> joins(host, pick(join.like(), history.hosts()).orElseThrow()));
    } else if (step instanceof Step.Leave leave) {
      pick(leave.pick(), cluster.hosts())
          .ifPresent(host -> happens.accept(new Event.HostLeaves(now, host.id())));
    } else if (step instanceof Step.Pause pause) {
      now += Math.min(pause.length().toNanos(), (history.horizon() - now) / 2);
    } else if (step instanceof Step.Pass) {
      happens.accept(new Event.PassRuns(now));
    }
  }

  /** Returns the time that the history has reached. */
  public long now() {
    return now;
  }

  private void submit(RequestShape shape) {
    String id = shape.reuseId() && !freeIds.isEmpty() ? freeIds.removeLast() : "r" + ++submitted;
    Request request = shape.request(id, history.serviceClasses(), history.scale());
    happens.accept(new Event.Submitted(now, request));
  }

  private Event report(String id, Step.Use use) {
    Resources granted = cluster.instance(id).orElseThrow().granted();
    Resources.Builder used = Resources.builder();
    for (Dimension each : granted.dimensions()) {
      used.put(each, Terms.share(granted.amount(each), use.eighths()));
    }
    return new Event.Used(now, id, used.build(), history.scale().resources(use.shortfall()));
  }

  private void ends(String id, Event end) {
    happens.accept(end);
    freeIds.addLast(id);
  }

  private List<HostSpec> absent() {
    return history.hosts().stream().filter(each -> cluster.host(each.id()).isEmpty()).toList();
  }

  private void joins(HostSpec host, HostSpec like) {
    HostSpec spec = new HostSpec(host.id(), like.capacity(), like.attributes());
    happens.accept(new Event.HostJoins(now, spec));
  }

  private Optional<String> pick(int pick, Predicate<ReferenceInstance> among) {
    return pick(pick, cluster.instances().stream().filter(among).toList())
        .map(ReferenceInstance::id);
  }

  private static <T> Optional<T> pick(int pick, List<T> among) {
    return among.isEmpty() ? Optional.empty() : Optional.of(among.get(pick % among.size()));
  }
}
