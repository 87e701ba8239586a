package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.core.Scheduler;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.reference.Tally;
import java.util.Optional;

/** Plays one history to the engine and to the reference model and demands the same of both. */
final class Duel {

  private final Scheduler engine;
  private final EventTarget engineEvents;
  private final ReferenceScheduler reference;
  private final Replay replay;
  private final Transcript transcript;
  private int events;

  Duel(History history, ReferencePolicy policy) {
    // What is noted for explanations must not change what is decided, so it varies.
    this.engine =
        Policies.engine(policy, history)
            .decisionLog(history.seed() == 1 ? 0 : 100)
            .topScores(history.seed() == 2 ? 3 : 0)
            .build();
    this.engineEvents = EventTarget.of(engine);
    this.reference =
        new ReferenceScheduler(
            policy, history.serviceClasses(), history.seed(), Optional.of(Policies.WATCHDOG));
    this.replay = new Replay(history, reference.cluster(), this::happens);
    this.transcript = new Transcript(policy.toString(), history);
  }

  /** Plays the history to its end. Returns what the reference came across. */
  static Tally fight(History history, ReferencePolicy policy) {
    Duel duel = new Duel(history, policy);
    duel.begin();
    history.steps().forEach(duel::play);
    duel.compareClusters();
    return duel.tally();
  }

  /** Lets the hosts join that are there from the beginning. */
  void begin() {
    replay.begin();
  }

  /** Lets one more step happen. */
  void play(Step step) {
    replay.play(step);
  }

  /** Returns how many events and passes there were. */
  int events() {
    return events;
  }

  /** Returns the cluster as the reference has it. */
  ReferenceCluster cluster() {
    return reference.cluster();
  }

  /** Returns what the reference came across. */
  Tally tally() {
    return reference.tally();
  }

  private void happens(Event event) {
    events++;
    transcript.event(event);
    try {
      Optional<Record> expected = event.applyTo(reference);
      transcript.answer(expected);
      assertThat(event.applyTo(engineEvents))
          .as("what the engine answers to: %s", event.describe())
          .isEqualTo(expected);
      if (event instanceof Event.PassRuns) {
        compareClusters();
      }
    } catch (AssertionError | RuntimeException failure) {
      throw transcript.tell(failure);
    }
  }

  private void compareClusters() {
    long now = replay.now();
    assertThat(engine.hosts().stream().map(Host::id).toList())
        .isEqualTo(cluster().hosts().stream().map(HostSpec::id).toList());
    assertThat(engine.instances().stream().map(each -> sheet(each, now)).toList())
        .isEqualTo(cluster().instances().stream().map(each -> sheet(each, now)).toList());
  }

  /** All that is to be equal about an instance. */
  private record Sheet(
      String id,
      InstanceState state,
      long stateSince,
      Optional<String> host,
      long serviceTime,
      long waitingTime,
      int preemptions,
      int placements,
      long restartOverhead,
      double preemptionOverhead) {}

  private static Sheet sheet(Instance instance, long now) {
    return new Sheet(
        instance.id(),
        instance.state(),
        instance.stateSince(),
        instance.host().map(Host::id),
        instance.serviceTime(now),
        instance.waitingTime(now),
        instance.preemptions(),
        instance.placements(),
        instance.restartOverhead(),
        instance.preemptionOverhead(now));
  }

  private static Sheet sheet(ReferenceInstance instance, long now) {
    return new Sheet(
        instance.id(),
        instance.state(),
        instance.stateSince(),
        instance.hostId(),
        instance.serviceTime(now),
        instance.waitingTime(now),
        instance.preemptions(),
        instance.placements(),
        instance.restartOverhead(),
        instance.preemptionOverhead(now));
  }
}
