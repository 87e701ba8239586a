package dev.berth.fuzzing.hostile;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A policy that does at random what no policy should: it acts on ended passes and closed forks, on
 * subjects of another scheduler and on nothing; throws; catches all errors; starts threads; calls
 * its scheduler; interrupts itself; changes the lists it gets; and asks for extreme numbers.
 *
 * <p>It records each answer that is not documented as a {@linkplain #problems problem}.
 */
final class HostilePolicy implements Policy {

  private static final Reason WHY = new Reason.PolicyChoice("hostile", "for no reason");
  private static final int MOST_KEPT = 8;

  /** What the policy throws on purpose. */
  static final class Whim extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Random random;
  private final @Nullable Policy pipeline; // which it runs now and then
  private final List<SchedulingPass> kept = new ArrayList<>(); // ended passes and forks
  private final List<String> problems = new ArrayList<>();
  private final Scheduler other;
  private @Nullable Scheduler own;

  HostilePolicy(Random random, @Nullable Policy pipeline, Scheduler other) {
    this.random = random;
    this.pipeline = pipeline;
    this.other = other;
  }

  void knows(Scheduler scheduler) {
    own = scheduler;
  }

  /** Returns undocumented answers to its acts. */
  List<String> problems() {
    return problems;
  }

  @Override
  public void schedule(SchedulingPass pass) {
    if (pipeline != null && random.nextInt(3) > 0) {
      pipeline.schedule(pass);
    }
    act(pass, 0);
    kept.add(pass);
    while (kept.size() > MOST_KEPT) {
      kept.remove(random.nextInt(kept.size()));
    }
    if (pipeline != null && random.nextInt(8) == 0) {
      attempt(false, () -> pipeline.schedule(kept.get(random.nextInt(kept.size()))));
    }
  }

  private void act(SchedulingPass pass, int depth) {
    int acts = random.nextInt(10);
    for (int i = 0; i < acts; i++) {
      switch (random.nextInt(24)) {
        case 0 -> actInFork(pass, depth);
        case 1 -> {
          if (!kept.isEmpty()) {
            actOnKept(pass.hosts(), pass.pending());
          }
        }
        case 2 -> callScheduler();
        case 3 -> changeLists(pass);
        case 4 -> {
          if (random.nextInt(8) == 0) {
            throwUp();
          }
        }
        case 5 -> {
          if (random.nextInt(20) == 0) {
            actOnThread(pass);
          }
        }
        case 6 -> {
          if (random.nextInt(20) == 0) {
            Thread.currentThread().interrupt();
          }
        }
        default -> actOnce(pass);
      }
    }
  }

  private void actInFork(SchedulingPass pass, int depth) {
    String before = own == null ? "" : StateLaws.describe(own);
    List<Fork> opened = new ArrayList<>();
    attempt(false, () -> opened.add(pass.fork()));
    if (opened.isEmpty()) {
      return;
    }
    Fork fork = opened.get(0);
    if (depth < 4) {
      act(random.nextInt(8) == 0 ? pass : fork, depth + 1);
    }
    if (random.nextInt(3) == 0) {
      attempt(false, fork::close);
      if (own != null && isRunning(pass) && !StateLaws.describe(own).equals(before)) {
        problems.add("a discarded fork changed " + before);
      }
    }
    for (int ends = random.nextInt(4); ends > 0; ends--) { // perhaps never, or twice
      attempt(false, random.nextBoolean() ? fork::keep : fork::close);
    }
    kept.add(fork);
  }

  private static boolean isRunning(SchedulingPass pass) {
    try {
      pass.number();
      return true;
    } catch (IllegalStateException stopped) {
      return false;
    }
  }

  /** Acts on an ended pass, or on a fork that is perhaps not closed yet. */
  private void actOnKept(List<Host> hosts, List<Instance> pending) {
    SchedulingPass ended = kept.get(random.nextInt(kept.size()));
    if (ended instanceof Fork fork) {
      attempt(false, random.nextBoolean() ? fork::keep : fork::close);
      return;
    }
    List<String> accepted = new ArrayList<>();
    refuses(accepted, "instances", ended::instances);
    if (!hosts.isEmpty() && !pending.isEmpty()) {
      refuses(accepted, "place", () -> ended.place(pending.get(0), hosts.get(0)));
    }
    accepted.forEach(each -> problems.add("an ended pass accepted: " + each));
  }

  /** Calls the scheduler during its pass; only queries may answer. */
  private void callScheduler() {
    Scheduler scheduler = own;
    if (scheduler == null) {
      return;
    }
    long now = scheduler.now();
    List<Runnable> calls =
        List.of(
            () -> scheduler.schedule(now),
            () -> scheduler.addHost(new HostSpec("sneaked", Resources.none()), now),
            () -> scheduler.removeHost("h0", now),
            () -> scheduler.cancel("i0", now),
            () -> scheduler.explain().whyPending("i0", now));
    try {
      calls.get(random.nextInt(calls.size())).run();
      problems.add("a call from within a pass was accepted");
    } catch (IllegalStateException refused) {
      // as documented
    } catch (RuntimeException undocumented) {
      problems.add("a call from within a pass: " + undocumented);
    }
    scheduler.hosts();
    scheduler.instances();
    scheduler.nextPassAt();
  }

  private void changeLists(SchedulingPass pass) {
    for (Collection<?> each :
        List.of(pass.hosts(), pass.instances(), pass.pending(), pass.pools(), pass.triggers())) {
      attempt(false, each::clear);
    }
    for (Host each : pass.hosts()) {
      attempt(false, each.instances()::clear);
      attempt(false, each.recentCompletions()::clear);
      attempt(false, each.attributes()::clear);
    }
    for (Bag each : pass.bags()) {
      attempt(false, each.instances()::clear);
    }
    for (Pool each : pass.pools()) {
      attempt(false, each.up()::clear);
      attempt(false, each.starting()::clear);
    }
  }

  private void throwUp() {
    switch (random.nextInt(4)) {
      case 0 -> throw new Whim();
      case 1 -> throw new AssertionError("a whim");
      case 2 -> HostilePolicy.<RuntimeException>sneak(new Exception("a checked whim"));
      default -> throw new StackOverflowError("a whim");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private void actOnThread(SchedulingPass pass) {
    List<String> accepted = new ArrayList<>();
    List<Instance> pending = pass.pending();
    List<Host> hosts = pass.hosts();
    Scheduler scheduler = own;
    Thread thread =
        new Thread(
            () -> {
              refuses(accepted, "fork", pass::fork);
              refuses(accepted, "instances", pass::instances);
              if (!pending.isEmpty() && !hosts.isEmpty()) {
                refuses(accepted, "place", () -> pass.place(pending.get(0), hosts.get(0)));
              }
              if (scheduler != null) {
                refuses(accepted, "schedule", () -> scheduler.schedule(Long.MAX_VALUE));
                refuses(accepted, "hosts", scheduler::hosts);
              }
            });
    thread.start();
    boolean interrupted = Thread.interrupted();
    try {
      thread.join();
    } catch (InterruptedException again) {
      throw new AssertionError(again);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    accepted.forEach(each -> problems.add("another thread was allowed: " + each));
  }

  static void refuses(List<String> accepted, String what, Supplier<?> call) {
    try {
      Object unused = call.get();
      accepted.add(what);
    } catch (IllegalStateException refused) {
      // as documented
    }
  }

  // ---- Single acts

  /** Acts once, perhaps on something of another scheduler, or on nothing. */
  private void actOnce(SchedulingPass pass) {
    attempt(
        true,
        () -> {
          Instance instance = pick(pass.instances(), other.instances());
          Host host = pick(pass.hosts(), other.hosts());
          Outcome outcome =
              switch (random.nextInt(15)) {
                case 0, 1, 2 -> pass.place(pick(pass.pending(), other.instances()), host);
                case 3 -> pass.place(instance, host, victims(pass, host), grant(instance));
                case 4 -> pass.resize(instance, grant(instance), why());
                case 5 -> pass.pause(instance, why());
                case 6 -> pass.suspend(instance, why());
                case 7 -> pass.resume(instance, grant(instance), why());
                case 8 -> pass.migrate(instance, host, grant(instance), why());
                case 9 -> random.nextInt(6) == 0 ? pass.reject(instance, why()) : null;
                case 10 ->
                    pass.provision(
                        pick(pass.pools(), other.pools()),
                        random.nextInt(6) == 0 ? Integer.MAX_VALUE : random.nextInt(4) - 1,
                        Optional.of("c"),
                        time(),
                        why());
                case 11 -> pass.release(host, why());
                case 12 -> pass.assign(pick(pass.bags(), other.bags()), "c", time(), why());
                case 13 -> pass.cancel(pick(pass.bags(), other.bags()), why());
                default -> pass.defer(instance, why());
              };
          if (random.nextInt(8) == 0) {
            pass.wakeAt(time().orElse(pass.now()));
          }
          return outcome;
        });
  }

  private <T> T pick(Collection<? extends T> ours, Collection<? extends T> foreign) {
    int kind = random.nextInt(20);
    Collection<? extends T> from = kind == 0 ? foreign : ours;
    if (from.isEmpty() || kind == 1) {
      return nothing();
    }
    return new ArrayList<T>(from).get(random.nextInt(from.size()));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // hostile on purpose
  private static <T> T nothing() {
    return null;
  }

  private Reason why() {
    return random.nextInt(30) == 0 ? nothing() : WHY;
  }

  private List<Instance> victims(SchedulingPass pass, Host host) {
    List<Instance> victims = new ArrayList<>();
    for (Instance each : random.nextInt(6) == 0 ? pass.instances() : host.instances()) {
      if (random.nextInt(3) == 0) {
        victims.add(each);
      }
    }
    if (random.nextInt(30) == 0) {
      victims.add(nothing());
    }
    return victims;
  }

  private Resources grant(Instance instance) {
    return switch (random.nextInt(6)) {
      case 0 -> Resources.of(Dimension.CPU, Long.MAX_VALUE, Dimension.MEMORY, Long.MAX_VALUE);
      case 1 -> Resources.none();
      case 2 -> Resources.of(new Dimension("cpu", 7), 1);
      case 3 -> Resources.of(new Dimension("unheard-of", 1), 1);
      default -> instance.request().demand();
    };
  }

  private OptionalLong time() {
    return switch (random.nextInt(5)) {
      case 0 -> OptionalLong.of(Long.MAX_VALUE);
      case 1 -> OptionalLong.of(Long.MIN_VALUE);
      case 2 -> OptionalLong.of(own == null ? 0 : own.now() + 1 + random.nextInt(50));
      default -> OptionalLong.empty();
    };
  }

  private void attempt(boolean mayBeNull, Runnable act) {
    attempt(
        mayBeNull,
        () -> {
          act.run();
          return act;
        });
  }

  /** Acts, and catches what is documented; anything else is a problem. */
  private void attempt(boolean mayBeNull, Supplier<?> act) {
    try {
      Object unused = act.get();
    } catch (IllegalStateException | IllegalArgumentException | UnsupportedOperationException e) {
      // as documented; a cancellation is an IllegalStateException
    } catch (NullPointerException nothing) {
      if (!mayBeNull) {
        problems.add("an act without null: " + nothing);
      }
    } catch (RuntimeException undocumented) {
      problems.add("an act: " + undocumented);
    }
  }
}
