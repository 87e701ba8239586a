package dev.berth.policies.metascheduling;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import dev.berth.api.policy.RequestDetail;
import java.util.List;
import java.util.Set;

/**
 * The policies of this module: {@code random}, {@code cpu-load}, {@code lottery}, {@code
 * lottery-with-load}, {@code wall-time-estimated} and {@code power-of-two-choices}.
 */
public final class MetaschedulingPolicies implements PolicyProvider {

  static final PolicyFactory<NoSettings> RANDOM =
      new SitePolicyFactory<>(
          "random",
          "places on a random host, each with equal probability",
          new NoSettings(),
          Set.of(),
          none -> Choices.random());

  static final PolicyFactory<NoSettings> CPU_LOAD =
      new SitePolicyFactory<>(
          "cpu-load",
          "places on the host that reported the least load per core",
          new NoSettings(),
          Set.of(),
          none -> Choices.cpuLoad());

  static final PolicyFactory<NoSettings> LOTTERY =
      new SitePolicyFactory<>(
          "lottery",
          "draws a host by lot; the faster it ran the application, the likelier",
          new NoSettings(),
          Set.of(RequestDetail.APPLICATION),
          none -> Choices.lottery());

  static final PolicyFactory<LoadConfig> LOTTERY_WITH_LOAD =
      new SitePolicyFactory<>(
          "lottery-with-load",
          "draws a host by lot; the sooner it should be done there, the likelier",
          LoadConfig.DEFAULT,
          Set.of(RequestDetail.APPLICATION),
          Choices::lotteryWithLoad);

  static final PolicyFactory<LoadConfig> WALL_TIME_ESTIMATED =
      new SitePolicyFactory<>(
          "wall-time-estimated",
          "places on the host where the application should be done soonest",
          LoadConfig.DEFAULT,
          Set.of(RequestDetail.APPLICATION),
          Choices::wallTimeEstimated);

  static final PolicyFactory<LoadConfig> POWER_OF_TWO_CHOICES =
      new SitePolicyFactory<>(
          "power-of-two-choices",
          "places on the less loaded of two random hosts",
          LoadConfig.DEFAULT,
          Set.of(),
          Choices::powerOfTwoChoices);

  /** Used by {@link java.util.ServiceLoader}. */
  public MetaschedulingPolicies() {}

  @Override
  public List<PolicyFactory<?>> factories() {
    return List.of(
        RANDOM, CPU_LOAD, LOTTERY, LOTTERY_WITH_LOAD, WALL_TIME_ESTIMATED, POWER_OF_TWO_CHOICES);
  }
}
