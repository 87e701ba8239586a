package dev.berth.testkit.contract.selftest;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.contract.PolicyContractTest;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.function.BiFunction;

/** Factories and configurations that break P01, P02 and P13. */
final class BrokenFactories {

  private BrokenFactories() {}

  // ---- P01

  @Breaks(
      value = Rule.P01,
      says =
          "no policy broken\\b.* A provider must return it, and META-INF/services/\\S+PolicyProvider"
              + " must name the provider\\.")
  static class Unregistered extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy();
    }
  }

  @Breaks(value = Rule.P01, says = ".* has the id \"First Fit\", must be lower-case words .*")
  static class MalformedId extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy();
    }

    @Override
    protected PolicyFactory<NoConfig> factory() {
      return new Factory(this) {
        @Override
        public String id() {
          return "First Fit";
        }
      };
    }
  }

  @Breaks(
      value = Rule.P01,
      says = "testkit.first-fit leads to \\S+FirstFitPolicy\\$Factory, must lead to \\S+")
  static class DuplicateId extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new FirstFitPolicy();
    }

    @Override
    protected PolicyFactory<NoConfig> factory() {
      return new Factory(this) {
        @Override
        public String id() {
          return "testkit.first-fit";
        }
      };
    }
  }

  // ---- P02

  /** Doubles its value whenever it is created. */
  record Doubling(int size) {
    Doubling {
      size *= 2;
    }
  }

  @Breaks(
      value = Rule.P02,
      says =
          "the defaults Doubling\\[size=2\\] come back from \\{\"size\":2\\} as"
              + " Doubling\\[size=4\\]")
  static class DefaultsChangeInARoundTrip extends Configured<Doubling> {
    DefaultsChangeInARoundTrip() {
      super(new Doubling(1), (config, context) -> new FirstFitPolicy());
    }
  }

  /** An interface: a text does not determine the implementation. */
  interface Mode {}

  enum UsualMode implements Mode {
    FAST
  }

  record OfAnyMode(Mode mode) {}

  @Breaks(value = Rule.P02, says = "the defaults are \\{\"mode\":\"FAST\"\\}, but: .*")
  static class DefaultsDoNotBind extends Configured<OfAnyMode> {
    DefaultsDoNotBind() {
      super(new OfAnyMode(UsualMode.FAST), (config, context) -> new FirstFitPolicy());
    }
  }

  /** A record that cannot be written, since its accessor throws. */
  record Secretive(int size) {
    @Override
    public int size() {
      throw new IllegalStateException("not readable");
    }
  }

  @Breaks(value = Rule.P02, says = "the defaults cannot be written as JSON: .*not readable.*")
  static class DefaultsCannotBeWritten extends Configured<Secretive> {
    DefaultsCannotBeWritten() {
      super(new Secretive(1), (config, context) -> new FirstFitPolicy());
    }
  }

  // ---- P13

  /** Accepts any watchdog. */
  record Unchecked(Duration watchdog) {}

  @Breaks(
      value = Rule.P13,
      says =
          "\\{\"watchdog\":\"0s\"\\} is accepted, but then it throws .*watchdog.*must be positive.*")
  static class AcceptsAnUnusableValue extends Configured<Unchecked> {
    AcceptsAnUnusableValue() {
      super(
          new Unchecked(Duration.ofSeconds(1)),
          (config, context) ->
              WellBehavedParts.pipeline(context).watchdog(config.watchdog()).build());
    }
  }

  /** Refuses a value without a message. */
  record Mute(int size) {
    Mute {
      if (size < 0) {
        throw new IllegalArgumentException();
      }
    }
  }

  @Breaks(
      value = Rule.P13,
      says =
          "\\{\"size\":-1\\} is rejected, but the message does not state the rule for config\\.size: .*")
  static class RefusesWithoutMessage extends Configured<Mute> {
    RefusesWithoutMessage() {
      super(new Mute(1), (config, context) -> new FirstFitPolicy());
    }
  }

  // ---- Shared parts

  /** The contract test of a policy that can be configured. */
  abstract static class Configured<C extends Record> extends PolicyContractTest<C> {

    private final C defaults;
    private final BiFunction<C, PolicyContext, Policy> maker;

    Configured(C defaults, BiFunction<C, PolicyContext, Policy> maker) {
      this.defaults = defaults;
      this.maker = maker;
    }

    @Override
    protected PolicyFactory<C> factory() {
      return new PolicyFactory<>() {
        @Override
        public String id() {
          return "configured";
        }

        @Override
        public String summary() {
          return "has a defective configuration";
        }

        @Override
        public C defaults() {
          return defaults;
        }

        @Override
        public Policy create(C config, PolicyContext context) {
          return maker.apply(config, context);
        }
      };
    }
  }
}
