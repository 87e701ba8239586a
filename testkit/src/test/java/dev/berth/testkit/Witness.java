package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.core.PolicyFailedException;
import dev.berth.core.Scheduler;
import dev.berth.core.Sli;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sits between an embedder and an engine, keeps its own books of what the engine was told and what
 * it ordered, and protests at the first broken law. It knows nothing of policies.
 */
final class Witness implements EventTarget {

  private final Scheduler engine;
  private final ReferenceCluster books;
  private final PlanLaw planLaw;

  /** A law of one policy, to be checked before a plan is carried out. */
  interface PlanLaw {
    void check(Plan plan, ReferenceCluster before);
  }

  Witness(Scheduler engine, PlanLaw planLaw) {
    this.engine = engine;
    this.books = new ReferenceCluster(engine.serviceClasses());
    this.planLaw = planLaw;
  }

  /** Lets an engine live through a history. Returns all that it answered. */
  static List<Record> watch(Scheduler engine, History history, PlanLaw planLaw) {
    Witness witness = new Witness(engine, planLaw);
    Transcript transcript = new Transcript(engine.policyId(), history);
    List<Record> answers = new ArrayList<>();
    new Replay(
            history,
            witness.books,
            event -> {
              transcript.event(event);
              try {
                Optional<Record> answer = event.applyTo(witness);
                transcript.answer(answer);
                answer.ifPresent(answers::add);
                witness.checkBooks(event.at());
              } catch (AssertionError | RuntimeException failure) {
                throw transcript.tell(failure);
              }
            })
        .play();
    return answers;
  }

  /** Returns its books. */
  ReferenceCluster books() {
    return books;
  }

  // ---- Events

  @Override
  public void addHost(HostSpec spec, long now) {
    engine.addHost(spec, now);
    books.addHost(spec);
  }

  @Override
  public void removeHost(String hostId, long now) {
    engine.removeHost(hostId, now);
    books.removeHost(hostId, now);
  }

  @Override
  public void submit(Request request, long now) {
    engine.submit(request, now);
    books.submit(request, now);
  }

  @Override
  public void started(String instanceId, long now) {
    engine.started(instanceId, now);
    books.started(instanceId, now);
  }

  @Override
  public void failed(String instanceId, long now) {
    engine.failed(instanceId, now);
    books.failed(instanceId, now);
  }

  @Override
  public Sli completed(String instanceId, long now) {
    return done(engine.completed(instanceId, now), now);
  }

  @Override
  public Sli cancelled(String instanceId, long now) {
    return done(engine.cancelled(instanceId, now), now);
  }

  private Sli done(Sli sli, long now) {
    assertThat(sli).isEqualTo(books.done(sli.id(), now));
    return sli;
  }

  @Override
  public Plan schedule(long now) {
    Plan plan;
    try {
      plan = engine.schedule(now);
    } catch (PolicyFailedException onPurpose) {
      checkBooks(now);
      plan = engine.schedule(now);
    }
    planLaw.check(plan, books);
    carryOut(plan);
    assertThat(plan.deferrals().keySet()).allMatch(id -> state(id) == InstanceState.PENDING);
    return plan;
  }

  // ---- Laws of plans

  private void carryOut(Plan plan) {
    Set<String> subjects = new HashSet<>();
    List<String> leaving = new ArrayList<>(); // for the placement that comes next
    for (Action action : plan.actions()) {
      assertThat(subjects.add(action.instance())).as("%s acts once", action).isTrue();
      if (action instanceof Action.Preempt preempt) {
        assertThat(books.instance(preempt.instance()).flatMap(ReferenceInstance::hostId))
            .as("where the victim is: %s", preempt)
            .hasValue(preempt.host());
        assertThat(next(plan, preempt))
            .as("the beneficiary comes to the same host: %s", preempt)
            .hasValueSatisfying(
                place -> {
                  assertThat(place.instance()).isEqualTo(preempt.beneficiary());
                  assertThat(place.host()).isEqualTo(preempt.host());
                });
        books.preempt(preempt.instance(), plan.now());
        leaving.add(preempt.instance());
      } else if (action instanceof Action.Place place) {
        assertThat(state(place.instance())).isEqualTo(InstanceState.PENDING);
        assertThat(place.victims()).isEqualTo(leaving);
        leaving.clear();
        books.place(place.instance(), place.host(), plan.pass(), plan.now());
        checkHost(place.host());
      }
    }
    assertThat(leaving).as("victims without a beneficiary").isEmpty();
  }

  private static Optional<Action.Place> next(Plan plan, Action.Preempt preempt) {
    return plan.actions().stream()
        .skip(plan.actions().indexOf(preempt))
        .filter(Action.Place.class::isInstance)
        .map(Action.Place.class::cast)
        .findFirst();
  }

  private InstanceState state(String id) {
    return books.instance(id).orElseThrow().state();
  }

  // ---- Laws of clusters

  /** Capacity in every dimension, constraints, anti-affinity. */
  private void checkHost(String hostId) {
    HostSpec host = books.host(hostId).orElseThrow();
    List<ReferenceInstance> residents = books.residents(host);
    for (Dimension each : books.dimensions()) {
      assertThat(ReferenceCluster.held(residents, each))
          .as("%s in use on %s", each, hostId)
          .isLessThanOrEqualTo(host.capacity().amount(each));
    }
    for (ReferenceInstance one : residents) {
      assertThat(ReferenceCluster.constraintsHold(one, host)).as("%s", one).isTrue();
      for (ReferenceInstance other : residents) {
        assertThat(one == other || ReferenceCluster.mayShare(one, other))
            .as("%s and %s", one, other)
            .isTrue();
      }
    }
  }

  /** The engine's books agree with one another, and with these. */
  private void checkBooks(long now) {
    assertThat(engine.now()).isEqualTo(now);
    assertThat(engine.hosts()).extracting(Host::id).isEqualTo(ids(books.hosts()));
    for (HostSpec spec : books.hosts()) {
      Host host = engine.host(spec.id()).orElseThrow();
      List<ReferenceInstance> residents = books.residents(spec);
      assertThat(host.instances().stream().map(Instance::id).toList())
          .as("instances on %s, in order of id", host.id())
          .isEqualTo(residents.stream().map(ReferenceInstance::id).sorted().toList());
      assertThat(host.instances())
          .allMatch(each -> each.host().map(Host::id).equals(Optional.of(host.id())));
      for (Dimension each : books.dimensions()) {
        long free = spec.capacity().amount(each) - ReferenceCluster.held(residents, each);
        assertThat(host.free(each)).as("free %s on %s", each, host.id()).isEqualTo(free);
        assertThat(host.free().amount(each)).isEqualTo(free);
      }
    }
    assertThat(engine.pendingCount()).isEqualTo(books.instances(InstanceState.PENDING).size());
    assertThat(engine.instances().stream().map(Instance::id).toList())
        .as("nobody is lost")
        .isEqualTo(books.instances().stream().map(ReferenceInstance::id).toList());
    for (Instance instance : engine.instances()) {
      ReferenceInstance booked = books.instance(instance.id()).orElseThrow();
      assertThat(instance.state()).as(instance.id()).isEqualTo(booked.state());
      assertThat(instance.host().map(Host::id)).as(instance.id()).isEqualTo(booked.hostId());
      assertThat(instance.stateSince()).as(instance.id()).isEqualTo(booked.stateSince());
      long e = instance.serviceTime(now);
      long p = instance.waitingTime(now);
      assertThat(e + p).as("e + p of %s", booked).isEqualTo(now - instance.admittedAt());
      assertThat(e).as("e of %s", booked).isEqualTo(booked.serviceTime(now)).isNotNegative();
      assertThat(p).as("p of %s", booked).isNotNegative();
    }
  }

  private static List<String> ids(List<HostSpec> hosts) {
    return hosts.stream().map(HostSpec::id).toList();
  }
}
