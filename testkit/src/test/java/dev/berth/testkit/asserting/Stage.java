package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.core.Scheduler;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A small scheduler with detectors around its policy. */
final class Stage {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").slo(0.9).build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  final Asserting asserting;
  final Scheduler scheduler;
  private long now;

  Stage(Function<PolicyContext, Policy> maker) {
    this(OptionalLong.empty(), maker);
  }

  Stage(OptionalLong shuffleSeed, Function<PolicyContext, Policy> maker) {
    this(new Asserting(shuffleSeed), maker);
  }

  Stage(Asserting asserting, Function<PolicyContext, Policy> maker) {
    this.asserting = asserting;
    scheduler =
        Scheduler.builder()
            .policy("test", asserting.wrap(maker))
            .serviceClasses(GOLD, BRONZE)
            .build();
  }

  // ---- Events, each a nanosecond after the previous one

  Stage host(String id, long cpu) {
    scheduler.addHost(new HostSpec(id, Resources.of(Dimension.CPU, cpu)), now++);
    return this;
  }

  Stage submit(String id, String serviceClass, long cpu) {
    scheduler.submit(
        Request.builder(id, serviceClass).demand(Resources.of(Dimension.CPU, cpu)).build(), now++);
    return this;
  }

  Stage offer(String pool, long cpu, int limit) {
    scheduler.offerPool(new PoolSpec(pool, Resources.of(Dimension.CPU, cpu), limit), now++);
    return this;
  }

  /** Submits a bag of one bronze request; its id is that of the bag followed by a 1. */
  Stage submitBag(String id, long cpu) {
    Request request =
        Request.builder(id + "1", "bronze").demand(Resources.of(Dimension.CPU, cpu)).build();
    scheduler.submit(new BagSpec(id, List.of(request)), now++);
    return this;
  }

  Stage started(String id) {
    scheduler.started(id, now++);
    return this;
  }

  Stage completed(String id) {
    scheduler.completed(id, now++);
    return this;
  }

  Plan pass() {
    return scheduler.schedule(now++);
  }

  /** Starts bronze instances b1, b2 and so on, of one CPU each; they are running. */
  Stage running(int count) {
    for (int i = 1; i <= count; i++) {
      submit("b" + i, "bronze", 1);
    }
    pass();
    for (int i = 1; i <= count; i++) {
      started("b" + i);
    }
    return this;
  }

  // ---- Violations

  /** Requires that the next pass fails with a violation. */
  void findsInPass(Rule rule, String message) {
    RuntimeException failure = catchThrowableOfType(PolicyFailedException.class, this::pass);
    assertThat(failure).as("the pass fails").isNotNull();
    isBroken(failure.getCause(), rule, message);
    remembers(rule, message);
  }

  /** Requires that an action throws a violation. */
  void finds(Rule rule, String message, Runnable doing) {
    isBroken(catchThrowable(doing::run), rule, message);
    remembers(rule, message);
  }

  /** Requires that exactly one violation was recorded. */
  void remembers(Rule rule, String message) {
    assertThat(asserting.violations()).hasSize(1);
    isBroken(asserting.violations().get(0), rule, message);
  }

  void findsNothing() {
    asserting.checkKeys();
    assertThat(asserting.violations()).isEmpty();
  }

  static void isBroken(Throwable thrown, Rule rule, String message) {
    assertThat(thrown).isInstanceOf(RuleBroken.class).hasMessage(rule + ": " + message);
    assertThat(((RuleBroken) thrown).rule()).isEqualTo(rule);
  }

  // ---- For policies

  /** Runs an action on a thread named "other"; returns what it throws, or null. */
  static Throwable elsewhere(Runnable doing) {
    FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(doing::run));
    Thread thread = new Thread(task, "other");
    thread.start();
    try {
      return task.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Orders victims by a key without drift. */
  static VictimOrder victimsBy(ToLongFunction<Instance> key) {
    return new VictimOrder() {
      @Override
      public long key(Instance instance) {
        return key.applyAsLong(instance);
      }

      @Override
      public long drift(ServiceClass serviceClass, InstanceState state, long now) {
        return 0;
      }
    };
  }
}
