package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.HostSpec;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.error.UnknownPolicyException;
import java.io.IOException;
import java.net.URLClassLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the builder selects and configures the policy of a scheduler. */
class PolicySelectionTest {

  private static final Scheduler.Builder KNOWING =
      Scheduler.builder().registry(PolicyRegistry.of(new Lazy())).serviceClasses(Cluster.GOLD);

  static Stream<Arguments> choices() {
    return Stream.of(
        choice("by id", KNOWING.policy("acme.lazy").build(), 1),
        choice("in JSON", KNOWING.policy("acme.lazy", "{\"passesToSkip\": 2}").build(), 2),
        choice("by factory", KNOWING.policy(new Lazy(), new Lazy.Config(2)).build(), 2));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void runsThePolicyAsConfigured(Scheduler scheduler, int passesToSkip) {
    scheduler.addHost(new HostSpec("h1", Cluster.cores(1)), 0);
    scheduler.submit(Cluster.request("a", 1).build(), 0);

    for (int pass = 1; pass <= passesToSkip; pass++) {
      assertThat(scheduler.schedule(0).actions()).as("pass %d", pass).isEmpty();
    }

    assertThat(scheduler.schedule(0).actions()).hasSize(1);
    assertThat(scheduler.policyId()).isEqualTo("acme.lazy");
    assertThat(scheduler.policyConfig()).isEqualTo("{\"passesToSkip\":%d}".formatted(passesToSkip));
  }

  @Test
  void usesPoliciesOfTheContextWithoutARegistry() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader none = PolicyRegistryTest.loader()) {
      thread.setContextClassLoader(none);
      assertThatExceptionOfType(UnknownPolicyException.class)
          .isThrownBy(
              () -> Scheduler.builder().policy("acme.lazy").serviceClasses(Cluster.GOLD).build())
          .withMessageStartingWith("no policy acme.lazy: no policies were found.");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Arguments choice(String how, Scheduler scheduler, int passesToSkip) {
    return Arguments.of(Named.of(how, scheduler), passesToSkip);
  }

  /** Skips its first passes. */
  private static final class Lazy implements PolicyFactory<Lazy.Config> {

    record Config(int passesToSkip) {}

    @Override
    public String id() {
      return "acme.lazy";
    }

    @Override
    public String summary() {
      return "takes its time";
    }

    @Override
    public Config defaults() {
      return new Config(1);
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      Policy pipeline = context.pipeline().build();
      return pass -> {
        if (pass.number() > config.passesToSkip()) {
          pipeline.schedule(pass);
        }
      };
    }
  }
}
