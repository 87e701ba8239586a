package dev.berth.testkit.contract.selftest;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.contract.ReferenceContractTest;
import dev.berth.testkit.contract.SchedulerContractTest;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Subjects that break no rule. */
final class WellBehaved {

  private WellBehaved() {}

  /** Declares and uses all capabilities except adjustments. */
  static class PipelinePolicy extends PolicyContractTest<Config> {

    @Override
    protected PolicyFactory<Config> factory() {
      return new Factory();
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.ADJUSTS);
    }
  }

  /** Breaks no rule but P26: it defers, and does not say so. */
  static class DefersUndeclared extends PipelinePolicy {

    @Override
    protected Capabilities capabilities() {
      return super.capabilities().without(Capability.DEFERS);
    }
  }

  /** Breaks P08, but not P41: it preempts whenever that rule allows it. */
  static class SwitchesAsOftenAsAllowed extends PolicySubject {

    @Override
    Policy make(PolicyContext context) {
      return WellBehavedParts.preempting(context, WellBehavedParts::boundsSwitching).build();
    }
  }

  /** Has no pipeline; neither preempts nor defers. */
  static class HandWrittenPolicy extends PolicyContractTest<PolicySubject.NoConfig> {

    @Override
    protected PolicyFactory<PolicySubject.NoConfig> factory() {
      return new FirstFitPolicy.Factory();
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.PREEMPTS, Capability.DEFERS, Capability.ADJUSTS);
    }
  }

  /** The base of all broken schedulers, without their defects. */
  static class IndependentScheduler extends SchedulerContractTest {

    @Override
    protected EventTarget start(Setting setting) {
      return new FirstFitScheduler(setting);
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all()
          .without(
              Capability.PREEMPTS,
              Capability.DEFERS,
              Capability.ADJUSTS,
              Capability.IGNORES_HOST_ORDER);
    }
  }

  /** Counts how often it is started. */
  static class CountsStarts extends IndependentScheduler {

    private static final AtomicInteger STARTS = new AtomicInteger();

    @Override
    protected EventTarget start(Setting setting) {
      STARTS.incrementAndGet();
      return super.start(setting);
    }

    /** Returns the number of starts since the last call. */
    static int starts() {
      return STARTS.getAndSet(0);
    }
  }

  /** Compares the reference model with itself. */
  static class ReferenceModel extends ReferenceContractTest {

    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return new ReferenceScheduler(policy, setting.serviceClasses(), setting.seed(), watchdog());
    }
  }

  /**
   * Settings of {@link Factory}.
   *
   * @param watchdog positive
   */
  record Config(Duration watchdog) {
    Config {
      if (watchdog.isNegative() || watchdog.isZero()) {
        throw new IllegalArgumentException(
            "watchdog was %s, must be positive.".formatted(watchdog));
      }
    }
  }

  /** Registered as {@code well-behaved}. */
  static final class Factory implements PolicyFactory<Config> {

    @Override
    public String id() {
      return "well-behaved";
    }

    @Override
    public String summary() {
      return "keeps to all rules";
    }

    @Override
    public Config defaults() {
      return new Config(Duration.ofMinutes(1));
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      return WellBehavedParts.wellBehaved(context, config.watchdog());
    }
  }
}
