package dev.berth.core;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.event.Event;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Events;
import dev.berth.core.internal.state.Hypotheses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Questions to a scheduler: what would its next pass decide if some events happened first?
 *
 * <pre>{@code
 * Preview without = scheduler.whatIf().suppose(new Event.HostRemoved("h7")).plan(now);
 * OptionalInt more =
 *     scheduler
 *         .whatIf()
 *         .suppose(new Event.Submitted(request))
 *         .hostsNeeded(large, List.of("r9"), 100, now);
 * }</pre>
 *
 * <p>The events are only supposed, in the order of the calls. Each question applies them to the
 * present state of its scheduler, runs a preview of the next pass, and takes all back. Afterwards
 * nothing has changed, not even the {@linkplain Scheduler#now time}: the {@linkplain
 * Scheduler#digest digest} is the same, a pass that was due is still due, and open actions are
 * still open. A what-if keeps nothing, so it need not be closed, and its scheduler may be used
 * between its questions.
 *
 * <p><b>Errors.</b> The questions throw
 *
 * <ul>
 *   <li>an {@link EventRefusedException} if one of the supposed events would be refused, or the
 *       time is in the past or out of range;
 *   <li>a {@link PolicyFailedException} if the policy throws in the pass;
 *   <li>a {@link SnapshotException} if the policy does not {@linkplain Policy#memory say} what it
 *       keeps from pass to pass. Then its memory could not be restored after the preview.
 * </ul>
 *
 * <p>Not thread-safe; its methods count as calls of the scheduler. A question costs as much as the
 * supposed events and the pass would, and as much again to undo them; the size of the cluster does
 * not matter otherwise.
 */
public final class WhatIf {

  private static final EngineExplainer.Calls PREVIEWING =
      new EngineExplainer.Calls() {
        @Override
        public <T> T whileIdle(Supplier<T> explanation) {
          return explanation.get(); // the preview is the call
        }
      };

  private final CallGate gate;
  private final Events engine;
  private final ClusterState state;
  private final Snapshots snapshots;
  private final PassRunner runner;
  private final RecordedDecisions log;
  private final List<Event<?>> events = new ArrayList<>();

  WhatIf(
      CallGate gate, Events engine, Snapshots snapshots, PassRunner runner, RecordedDecisions log) {
    this.gate = gate;
    this.engine = engine;
    this.state = engine.state();
    this.snapshots = snapshots;
    this.runner = runner;
    this.log = log;
  }

  /**
   * Supposes that an event happens. These {@linkplain Event events} can be supposed:
   *
   * <ul>
   *   <li>A host that no plan has requested or released joins.
   *   <li>A host that is up leaves, changes, has other foreign load, is cordoned, uncordoned or
   *       drained.
   *   <li>A limit or a disruption budget changes.
   *   <li>A request, a bag or a group is submitted.
   *   <li>An instance {@linkplain Event.CompletedNow completes} or is {@linkplain Event.Cancelled
   *       cancelled}.
   * </ul>
   *
   * @return this
   * @throws IllegalArgumentException if the event cannot be supposed
   */
  public WhatIf suppose(Event<?> event) {
    Objects.requireNonNull(event, "event");
    if (!Hypotheses.canBe(event.kind())) {
      throw new IllegalArgumentException(
          "event was %s, which cannot be supposed. These can: %s."
              .formatted(
                  event.kind(),
                  Arrays.stream(Event.Kind.values())
                      .filter(Hypotheses::canBe)
                      .map(Event.Kind::name)
                      .collect(Collectors.joining(", "))));
    }
    events.add(event);
    return this;
  }

  // ---- Questions

  /**
   * Returns what the next pass would decide.
   *
   * @param now the time of the pass, not before the latest event or pass
   */
  public Preview plan(long now) {
    return preview(events, now, OptionalInt.empty(), preview -> preview);
  }

  /**
   * Explains why an instance would still wait after the next pass. Cost as for {@link
   * dev.berth.core.explain.Explainer#whyPending}, and that of {@link #plan}.
   *
   * @param now the time of the pass, not before the latest event or pass
   * @throws EventRefusedException also if there is no such instance then
   */
  public WhyPending whyPending(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "instanceId");
    return preview(
        events,
        now,
        OptionalInt.empty(),
        preview -> {
          Instance present = require(instanceId);
          if (present.state() == InstanceState.DONE) {
            throw Code.WRONG_STATE.refusal(
                "what-if: instance %s is done then, so it does not wait.", instanceId);
          }
          return new EngineExplainer(state, preview::plan, Set.of(), log, PREVIEWING)
              .whyPending(instanceId, now);
        });
  }

  /**
   * Returns how many more hosts the next pass needs so that it leaves none of some instances
   * waiting. It places as many as it can, even with a {@linkplain Scheduler.Builder#maxPlacements
   * limit}.
   *
   * <p>Tries 0, 1, 2, 4 ... hosts, then halves the interval. The result is the least number if more
   * hosts never make the policy place less, as those that promise {@code MONOTONE} to the testkit;
   * otherwise it is some number that suffices while one less does not. Cost O(log result) passes
   * with so many hosts.
   *
   * @param kind the hosts: capacity, attributes and taints. They have its id, followed by {@code
   *     -1}, {@code -2} ...; no host may have such an id
   * @param instanceIds instances that are present or supposed, not done
   * @param most the most hosts to try, not negative
   * @param now the time of the pass, not before the latest event or pass
   * @return empty if so many hosts do not suffice
   * @throws IllegalArgumentException if {@code most} is negative
   * @throws EventRefusedException also if an instance is unknown
   */
  public OptionalInt hostsNeeded(
      HostSpec kind, Collection<String> instanceIds, int most, long now) {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(instanceIds, "instanceIds");
    refuseIf(most < 0, "hosts to try were %s at most, must be 0 or more.", most);
    List<String> ids = List.copyOf(instanceIds);
    int tooFew = -1;
    int tried = 0;
    while (!suffices(kind, tried, ids, now)) {
      if (tried == most) {
        return OptionalInt.empty();
      }
      tooFew = tried;
      tried = tried == 0 ? 1 : (int) Math.min(2L * tried, most);
    }
    int enough = tried;
    while (enough - tooFew > 1) {
      int middle = tooFew + (enough - tooFew) / 2;
      if (suffices(kind, middle, ids, now)) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return OptionalInt.of(enough);
  }

  private boolean suffices(HostSpec kind, int hosts, List<String> ids, long now) {
    List<Event<?>> withHosts = new ArrayList<>(events);
    for (int i = 1; i <= hosts; i++) {
      HostSpec each =
          new HostSpec(
              kind.id() + "-" + i,
              kind.capacity(),
              kind.attributes(),
              kind.timeShared(),
              kind.taints());
      withHosts.add(new Event.HostAdded(each));
    }
    return preview(
        withHosts,
        now,
        OptionalInt.of(Integer.MAX_VALUE),
        preview -> ids.stream().allMatch(id -> runs(require(id))));
  }

  /** Supposes events and a pass, asks about the state after it, and takes all back. */
  private <T> T preview(
      List<Event<?>> supposed, long now, OptionalInt most, Function<Preview, T> question) {
    return gate.call(
        CallGate.NESTED,
        () -> {
          PolicyMemory memory = snapshots.memory();
          return runner.preview(
              memory,
              undoLog -> {
                Hypotheses hypotheses = new Hypotheses(engine, undoLog);
                state.advanceTo(now);
                supposed.forEach(hypotheses::suppose);
                return hypotheses.triggers();
              },
              most,
              question);
        });
  }

  private static boolean runs(Instance instance) {
    return instance.state() == InstanceState.STARTING || instance.state() == InstanceState.RUNNING;
  }

  private Instance require(String instanceId) {
    return state
        .instance(instanceId)
        .orElseThrow(
            () ->
                Code.UNKNOWN_INSTANCE.refusal(
                    "what-if: instance %s is neither present nor supposed to be.", instanceId));
  }
}
