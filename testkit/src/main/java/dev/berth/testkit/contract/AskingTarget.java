package dev.berth.testkit.contract;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.core.Scheduler;
import dev.berth.core.WhatIf;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Asks its scheduler, before some events, what the next pass would decide if something else
 * happened first. All events reach the scheduler as they are.
 */
final class AskingTarget extends PassingTarget {

  private static final int MEAN_EVENTS = 4; // for each question
  private static final String NEW = "supposed";

  /** How far ahead it asks, in nanoseconds: now, soon, and beyond any time of a history. */
  private static final long[] LATER = {
    0, 1, TimeUnit.SECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(10), TimeUnit.DAYS.toNanos(2)
  };

  private final Scheduler scheduler;
  private final SplittableRandom random;

  /**
   * Begins with a scheduler.
   *
   * @param seed decides on the questions, and before which events they are asked
   */
  AskingTarget(Scheduler scheduler, long seed) {
    this.scheduler = scheduler;
    this.random = new SplittableRandom(seed);
  }

  @Override
  EventTarget present() {
    if (random.nextInt(MEAN_EVENTS) == 0 && scheduler.now() != Long.MIN_VALUE) {
      long before = scheduler.digest();
      ask();
      if (scheduler.digest() != before) {
        throw Rule.P46.broken("a question about the next pass changes what is kept");
      }
    }
    return EventTarget.of(scheduler);
  }

  private void ask() {
    WhatIf question = scheduler.whatIf();
    List<Host> hosts = scheduler.hosts();
    Optional<String> removed = Optional.empty(); // host
    if (!hosts.isEmpty()) {
      Host any = hosts.get(random.nextInt(hosts.size()));
      switch (random.nextInt(4)) {
        case 0 -> {
          question.suppose(new Event.HostRemoved(any.id()));
          removed = Optional.of(any.id());
        }
        case 1 -> question.suppose(new Event.HostCordoned(any.id()));
        case 2 ->
            question.suppose(
                new Event.HostAdded(
                    new HostSpec(
                        NEW, any.capacity(), any.attributes(), any.timeShared(), any.taints())));
        default -> {} // none
      }
    }
    switch (random.nextInt(6)) {
      case 0 -> question.suppose(new Event.BudgetRemoved("j1"));
      case 1 ->
          question.suppose(new Event.BudgetSet("j2", DisruptionBudget.maxDown(random.nextInt(2))));
      default -> {} // none
    }
    List<Instance> instances = List.copyOf(scheduler.instances());
    if (!instances.isEmpty()) {
      Instance any = instances.get(random.nextInt(instances.size()));
      switch (random.nextInt(3)) {
        case 0 -> question.suppose(ended(any, removed));
        case 1 ->
            question.suppose(
                new Event.Submitted(
                    Request.builder(NEW, any.serviceClass().name())
                        .demand(any.request().demand())
                        .build()));
        default -> {} // none
      }
    }
    question.plan(scheduler.now() + LATER[random.nextInt(LATER.length)]);
  }

  /** Returns an end that is possible although a host is supposed to be gone. */
  private static Event<?> ended(Instance any, Optional<String> removed) {
    boolean runs =
        any.state() == InstanceState.RUNNING
            && (removed.isEmpty() || !any.host().map(Host::id).equals(removed));
    return runs
        ? new Event.CompletedNow(any.id(), Optional.empty())
        : new Event.Cancelled(any.id());
  }
}
