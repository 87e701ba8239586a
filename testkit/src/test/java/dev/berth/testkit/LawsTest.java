package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.EventRefusedException;
import dev.berth.core.Scheduler;
import dev.berth.testkit.Contenders.Contender;
import dev.berth.testkit.generators.Histories;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What holds whatever the policy does, and what the QoS-driven policy promises. */
@PropertyDefaults(
    tries = 1000,
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE)
class LawsTest {

  private static final Witness.PlanLaw ANY_PLAN = (plan, before) -> {};

  /**
   * No host holds more than it has; nobody is where they may not be, in two places, or nowhere; the
   * accounting is complete; victims leave for somebody who comes. See {@link Witness}.
   */
  @Property
  void noPolicyBreaksALaw(
      @ForAll("histories") History history, @ForAll("contenders") Contender contender) {
    Witness.watch(contender.builder(history).build(), history, ANY_PLAN);
  }

  /** Also when one scheduler keeps no log, and thus decides without taking notes. */
  @Property
  void theSameSeedGivesTheSamePlans(
      @ForAll("histories") History history, @ForAll("contenders") Contender contender) {
    Scheduler.Builder builder = contender.builder(history);
    List<Record> once = Witness.watch(builder.build(), history, ANY_PLAN);
    List<Record> again = Witness.watch(builder.decisionLog(0).build(), history, ANY_PLAN);
    assertThat(again).isEqualTo(once);
  }

  /**
   * One engine is told nonsense after every event, the other is not; nobody can tell them apart.
   */
  @Property(tries = 200) // many exceptions each
  void nonsenseIsRefusedAndChangesNothing(
      @ForAll("histories") History history, @ForAll("contenders") Contender contender) {
    Scheduler plain = contender.builder(history).build();
    Scheduler pestered = contender.builder(history).build();
    Witness plainWitness = new Witness(plain, ANY_PLAN);
    Witness pesteredWitness = new Witness(pestered, ANY_PLAN);
    new Replay(
            history,
            plainWitness.books(),
            event -> {
              assertThat(event.applyTo(pesteredWitness)).isEqualTo(event.applyTo(plainWitness));
              nonsense(pestered, history, event.at())
                  .forEach(
                      each -> assertThatThrownBy(each).isInstanceOf(EventRefusedException.class));
              assertThat(pestered.now()).isEqualTo(plain.now());
              assertThat(pestered.nextPassAt()).isEqualTo(plain.nextPassAt());
              assertThat(sheets(pestered)).isEqualTo(sheets(plain));
            })
        .play();
  }

  private static List<String> sheets(Scheduler scheduler) {
    return scheduler.instances().stream()
        .map(
            each ->
                "%s %s since %d, e %d, placed %d, preempted %d, restarts %d"
                    .formatted(
                        each.id(),
                        each.state(),
                        each.stateSince(),
                        each.serviceTime(scheduler.now()),
                        each.placements(),
                        each.preemptions(),
                        each.restartOverhead()))
        .toList();
  }

  private static List<ThrowingCallable> nonsense(Scheduler engine, History history, long now) {
    String someClass = history.serviceClasses().get(0).name();
    HostSpec newHost = new HostSpec("new", Resources.none());
    Request newRequest = Request.builder("new", someClass).build();
    List<ThrowingCallable> calls = new ArrayList<>();
    calls.add(() -> engine.removeHost("new", now));
    calls.add(() -> engine.started("new", now));
    calls.add(() -> engine.failed("new", now));
    calls.add(() -> engine.completed("new", now));
    calls.add(() -> engine.cancelled("new", now));
    calls.add(() -> engine.submit(Request.builder("new", "no such class").build(), now));
    calls.add(() -> engine.addHost(newHost, now - 1));
    calls.add(() -> engine.submit(newRequest, now - 1));
    calls.add(() -> engine.schedule(now - 1));
    for (Host host : engine.hosts()) {
      calls.add(() -> engine.addHost(new HostSpec(host.id(), Resources.none()), now));
      calls.add(() -> engine.removeHost(host.id(), now - 1));
      for (Dimension each : host.capacity().dimensions()) {
        Resources otherScale = Resources.of(new Dimension(each.name(), 7), 1);
        calls.add(() -> engine.addHost(new HostSpec("new", otherScale), now));
        calls.add(
            () -> engine.submit(Request.builder("new", someClass).demand(otherScale).build(), now));
      }
    }
    for (Instance instance : List.copyOf(engine.instances())) {
      String id = instance.id();
      InstanceState state = instance.state();
      calls.add(() -> engine.submit(Request.builder(id, someClass).build(), now));
      calls.add(() -> engine.cancelled(id, now - 1));
      calls.add(() -> engine.started(id, state == InstanceState.STARTING ? now - 1 : now));
      calls.add(() -> engine.completed(id, state == InstanceState.RUNNING ? now - 1 : now));
      calls.add(() -> engine.failed(id, state.holdsCapacity() ? now - 1 : now));
    }
    return calls;
  }

  @Provide
  Arbitrary<History> histories() {
    return Histories.ofUpTo(30);
  }

  @Provide
  Arbitrary<Contender> contenders() {
    return Contenders.any();
  }
}
