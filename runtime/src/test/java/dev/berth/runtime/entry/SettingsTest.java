package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.acme.RandomPolicyFactory;
import dev.berth.api.Backoff;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Settings make a scheduler that is the same. */
class SettingsTest {

  private static final Backoff OF_HOSTS = new Backoff(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final Backoff OF_INSTANCES =
      new Backoff(Duration.ofSeconds(2), 3, Duration.ofHours(2), 1);

  private static final PolicyRegistry REGISTRY = PolicyRegistry.of(new RandomPolicyFactory());

  private static Scheduler.Builder builder() {
    return Scheduler.builder()
        .policy("acme.random", "{\"most\": 3}")
        .registry(REGISTRY)
        .serviceClasses(
            ServiceClass.builder("gold").slo(0.123456789).build(),
            ServiceClass.builder("bronze").slo(0.5).importance(2).build())
        .seed(77)
        .watchdog(Duration.ofMinutes(3))
        .maxPlacements(2)
        .hostBackoff(OF_HOSTS)
        .instanceBackoff(OF_INSTANCES);
  }

  private static Settings settings() {
    return Settings.of(builder().build(), REGISTRY);
  }

  @Test
  void reportsWhatTheSchedulerReports() {
    Settings settings = settings();

    assertThat(settings.policy()).isEqualTo("acme.random");
    assertThat(settings.policyConfig()).isEqualTo("{\"most\":3}");
    assertThat(settings.policyVersion()).isEmpty();
    assertThat(settings.seed()).isEqualTo(77);
    assertThat(settings.serviceClasses())
        .extracting(ServiceClass::name)
        .containsExactly("gold", "bronze");
    assertThat(settings.watchdog()).contains(Duration.ofMinutes(3));
    assertThat(settings.maxPlacements()).hasValue(2);
  }

  @Test
  void makesASchedulerThatPlansAlike() {
    Entry.Opened opened =
        (Entry.Opened) EntryFormat.read(EntryFormat.toBytes(new Entry.Opened(settings())));
    Scheduler first = builder().build();
    Scheduler second = opened.settings().toBuilder().registry(REGISTRY).build();

    assertThat(opened.settings()).isEqualTo(settings());
    assertThat(opened.engine()).isEqualTo(EntryFormat.engine());
    assertThat(trace(second)).isEqualTo(trace(first));
    assertThat(Settings.of(second, REGISTRY)).isEqualTo(Settings.of(first, REGISTRY));
  }

  /** What a scheduler does depends on each of the settings. */
  @Test
  void everySettingCounts() {
    Settings settings = settings();
    List<Long> expected = trace(builder().build());
    for (Settings other :
        List.of(
            with(settings, "{\"most\":1}", 77, settings.watchdog(), OptionalInt.of(2), OF_HOSTS),
            with(
                settings,
                settings.policyConfig(),
                78,
                settings.watchdog(),
                OptionalInt.of(2),
                OF_HOSTS),
            with(
                settings,
                settings.policyConfig(),
                77,
                Optional.empty(),
                OptionalInt.of(2),
                OF_HOSTS),
            with(
                settings,
                settings.policyConfig(),
                77,
                settings.watchdog(),
                OptionalInt.empty(),
                OF_HOSTS),
            with(
                settings,
                settings.policyConfig(),
                77,
                settings.watchdog(),
                OptionalInt.of(2),
                OF_INSTANCES),
            new Settings(
                settings.policy(),
                settings.policyConfig(),
                settings.policyVersion(),
                settings.seed(),
                settings.serviceClasses(),
                settings.watchdog(),
                settings.maxPlacements(),
                settings.hostBackoff(),
                Optional.empty()))) {
      assertThat(trace(other.toBuilder().registry(REGISTRY).build())).isNotEqualTo(expected);
    }
  }

  private static Settings with(
      Settings base,
      String config,
      long seed,
      Optional<Duration> watchdog,
      OptionalInt maxPlacements,
      Backoff ofHosts) {
    return new Settings(
        base.policy(),
        config,
        base.policyVersion(),
        seed,
        base.serviceClasses(),
        watchdog,
        maxPlacements,
        Optional.of(ofHosts),
        base.instanceBackoff());
  }

  /** Returns the digests of passes and states. */
  private static List<Long> trace(Scheduler scheduler) {
    for (int i = 0; i < 20; i++) {
      scheduler.addHost(new HostSpec("h" + i, Resources.of(Dimension.CPU, 10)), 1);
      scheduler.submit(
          Request.builder("r" + i, i % 2 == 0 ? "gold" : "bronze")
              .demand(Resources.of(Dimension.CPU, 1))
              .build(),
          1);
    }
    List<Long> digests = new ArrayList<>();
    for (int i = 2; i < 12; i++) {
      Plan plan = scheduler.schedule(i);
      Entry.Passed passed = Entry.Passed.of(plan, scheduler);
      digests.add(passed.plan());
      digests.add(passed.state());
      if (!plan.placements().isEmpty()) {
        scheduler.failed(plan.placements().get(0).instance(), i);
      }
      if (plan.placements().size() > 1) {
        scheduler.rejected(plan.id(1), "no", i);
      }
      digests.add(scheduler.nextPassAt().orElse(-1));
    }
    scheduler.hosts().forEach(each -> digests.add(each.closed().isPresent() ? 1L : 0L));
    scheduler.schedule(13);
    digests.add(scheduler.digest());
    digests.add(scheduler.nextPassAt().orElse(-1));
    return digests;
  }

  @Test
  void refusesADigestOfAnotherPass() {
    Scheduler scheduler = builder().build();
    Plan first = scheduler.schedule(1);
    Entry.Passed passed = Entry.Passed.of(first, scheduler);
    scheduler.schedule(2);

    assertThat(passed).isEqualTo(new Entry.Passed(1, 1, first.digest(), passed.state()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Entry.Passed.of(first, scheduler))
        .withMessage("the plan is of pass 1, must be of pass 2, which is the latest.");
  }
}
