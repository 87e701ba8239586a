package dev.berth.runtime.micrometer;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.journal.FileJournal;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a loop, in a simple registry, in a scrape, and in the dashboard. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BerthMetricsTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  @TempDir private Path directory;

  /** Of nanoseconds, since registries hold seconds. */
  private static final Offset<Double> ROUNDING = within(1.0);

  private final AtomicLong nanoTime = new AtomicLong();

  /** Carries out nothing, and has an answer for everything. */
  private static final class Idle implements Fleet {
    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return new CompletableFuture<>();
    }

    @Override
    public void takeBack(ActionId id, Action action) {}

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Observation> observe() {
      return CompletableFuture.completedFuture(new Observation(List.of(), List.of()));
    }
  }

  /** Places on the first host with room, and defers some for a reason of their own. */
  private static final class FirstHost implements Policy {
    @Override
    public void schedule(SchedulingPass pass) {
      for (Instance each : pass.pending()) {
        if (each.id().startsWith("odd")) {
          pass.defer(each, new Reason.PolicyChoice("odd-one", "it is odd"));
          continue;
        }
        pass.hosts().stream()
            .filter(host -> pass.obstacle(each, host, List.of()).isEmpty())
            .findFirst()
            .ifPresent(host -> pass.place(each, host));
      }
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(PolicyMemory.none());
    }
  }

  private SchedulerLoop loop(boolean withJournal) throws Exception {
    SchedulerLoop.Builder builder =
        SchedulerLoop.builder(new Idle())
            .scheduler(
                () ->
                    Scheduler.builder()
                        .policy("first-host", context -> new FirstHost())
                        .serviceClasses(GOLD, BRONZE))
            .settings(LoopSettings.defaults().withReconciliation(false, Optional.empty()));
    return (withJournal ? builder.journal(FileJournal.open(directory)) : builder).start();
  }

  private BerthMetrics metrics(SchedulerLoop loop) {
    return new BerthMetrics(loop, List.of(), nanoTime::get);
  }

  private static void submit(SchedulerLoop loop, String id, String serviceClass) {
    loop.submit(Request.builder(id, serviceClass).demand(Resources.of(CPU, 1)).build()).join();
  }

  /** Adds a host with room for two, and lets three of five wait. */
  private static void fill(SchedulerLoop loop) {
    loop.addHost(new HostSpec("h1", Resources.of(CPU, 2))).join();
    loop.addHost(new HostSpec("h2", Resources.of(CPU, 2))).join();
    loop.apply(new Event.HostCordoned("h2")).join();
    submit(loop, "g1", "gold");
    submit(loop, "g2", "gold");
    submit(loop, "g3", "gold");
    submit(loop, "b1", "bronze");
    submit(loop, "odd1", "bronze");
  }

  /** Lets the next readings begin a burst, with the figures of all that {@link #fill} submits. */
  private void pause(SchedulerLoop loop) throws InterruptedException {
    while (loop.status().inputs().applied() < 8 || loop.status().actions().underWay() < 2) {
      Thread.sleep(2);
    }
    nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
  }

  private static double sum(MeterRegistry registry, String name) {
    return registry.find(name).gauges().stream().mapToDouble(Gauge::value).sum();
  }

  @Test
  void theReasonsAddUpToThoseThatWait() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(false)) {
      metrics(loop).bindTo(registry);
      assertThat(sum(registry, "berth.waiting")).isZero();
      fill(loop);
      pause(loop);
      int pending = loop.ask(Scheduler::pendingCount).join();

      assertThat(pending).isEqualTo(3);
      assertThat(sum(registry, "berth.waiting")).isEqualTo(3); // the new reason is among others
      assertThat(registry.get("berth.waiting").tags("reason", "other", "class", "bronze").gauge())
          .extracting(Gauge::value)
          .isEqualTo(1.0);
      assertThat(sum(registry, "berth.hosts")).isEqualTo(2);
      pause(loop);
      assertThat(sum(registry, "berth.waiting")).isEqualTo(3); // it has a row of its own now
      assertThat(registry.get("berth.waiting").tags("reason", "odd-one", "class", "bronze").gauge())
          .extracting(Gauge::value)
          .isEqualTo(1.0);
      assertThat(registry.get("berth.waiting").tags("reason", "other", "class", "bronze").gauge())
          .extracting(Gauge::value)
          .isEqualTo(0.0);
      assertThat(registry.get("berth.waiting").tags("reason", "no-room", "class", "gold").gauge())
          .extracting(Gauge::value)
          .isEqualTo(1.0);
      assertThat(sum(registry, "berth.hosts")).isEqualTo(2);
      assertThat(registry.get("berth.hosts").tags("state", "cordoned").gauge().value())
          .isEqualTo(1);
    }
  }

  @Test
  void metersHaveTheFiguresOfTheLoop() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(true)) {
      new BerthMetrics(loop, Tags.of("cluster", "a"), nanoTime::get).bindTo(registry);
      fill(loop);
      pause(loop);

      assertThat(registry.get("berth.up").tag("cluster", "a").gauge().value()).isEqualTo(1);
      assertThat(registry.get("berth.inputs").functionCounter().count()).isEqualTo(8);
      assertThat(registry.get("berth.decisions").functionCounter().count()).isEqualTo(2);
      assertThat(registry.get("berth.actions.underway").gauge().value()).isEqualTo(2);
      assertThat(registry.get("berth.passes").functionCounter().count()).isPositive();
      assertThat(registry.get("berth.pass.duration").functionTimer().count())
          .isEqualTo(registry.get("berth.passes").functionCounter().count());
      assertThat(
              registry.get("berth.pass.duration").functionTimer().totalTime(TimeUnit.NANOSECONDS))
          .isCloseTo((double) loop.status().passes().time().toNanos(), ROUNDING);
      assertThat(registry.get("berth.journal.size").gauge().value()).isGreaterThan(100);
      assertThat(registry.get("berth.journal.force").functionTimer().count()).isPositive();
      long waited = loop.status().longestWait().orElseThrow().toNanos();
      nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertThat(registry.get("berth.waiting.longest").timeGauge().value(TimeUnit.NANOSECONDS))
          .isBetween(waited - 1.0, loop.status().longestWait().orElseThrow().toNanos() + 1.0);
      assertThat(registry.get("berth.instances").tags("class", "gold", "state", "starting"))
          .extracting(each -> each.gauge().value())
          .isEqualTo(2.0);
      assertThat(registry.get("berth.slo.fulfilment").tag("class", "gold").gauge().value())
          .isZero();
    }
    nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(registry.get("berth.up").gauge().value()).isZero();
  }

  @Test
  void metersAreDescribedAndOutliveTheirBinder() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(true)) {
      metrics(loop).bindTo(registry);
      fill(loop);
      System.gc();
      pause(loop);

      assertThat(registry.getMeters())
          .extracting(Meter::getId)
          .allMatch(each -> each.getName().startsWith("berth."))
          .allMatch(each -> each.getDescription() != null && !each.getDescription().isBlank());
      assertThat(registry.get("berth.inputs").functionCounter().count()).isEqualTo(8);
    }
  }

  @Test
  void aLoopWithoutJournalHasNoMetersOfIt() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(false)) {
      metrics(loop).bindTo(registry);

      assertThat(registry.getMeters())
          .extracting(each -> each.getId().getName())
          .noneMatch(each -> each.startsWith("berth.journal"))
          .noneMatch(each -> each.startsWith("berth.recovery"));
    }
  }

  @Test
  void aRestartShowsWhatWasRecovered() throws Exception {
    try (SchedulerLoop loop = loop(true)) {
      fill(loop);
      loop.ask(Scheduler::pendingCount).join(); // after the turn with the passes
    }
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(true)) {
      metrics(loop).bindTo(registry);

      assertThat(registry.get("berth.recovery.inputs").gauge().value()).isEqualTo(8);
      assertThat(registry.get("berth.recovery.passes").gauge().value()).isPositive();
      assertThat(registry.get("berth.recovery.actions").gauge().value()).isEqualTo(2);
      assertThat(registry.get("berth.recovery.time").timeGauge().value(TimeUnit.NANOSECONDS))
          .isCloseTo((double) loop.recovery().time().toNanos(), ROUNDING);
    }
  }

  @Test
  void theNextLoopTakesTheMetersOver() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (SchedulerLoop loop = loop(false);
        BerthMetrics metrics = metrics(loop)) {
      metrics.bindTo(registry);
      fill(loop);
      pause(loop);
      assertThat(sum(registry, "berth.hosts")).isEqualTo(2);
    }
    assertThat(registry.getMeters()).isEmpty();
    try (SchedulerLoop loop = loop(false)) {
      metrics(loop).bindTo(registry);

      assertThat(registry.get("berth.up").gauge().value()).isEqualTo(1);
    }
  }

  private String scrape() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (SchedulerLoop loop = loop(true)) {
      metrics(loop).bindTo(registry);
      fill(loop);
      pause(loop);
      registry.scrape();
      pause(loop);
      return registry.scrape();
    }
  }

  @Test
  void aScrapeHasUnitsAndAddsUp() throws Exception {
    String scrape = scrape();

    assertThat(scrape)
        .contains("berth_waiting_instances{class=\"gold\",reason=\"no-room\"} 1.0\n")
        .contains("berth_waiting_instances{class=\"bronze\",reason=\"odd-one\"} 1.0\n")
        .contains("berth_hosts{state=\"cordoned\"} 1.0\n")
        .contains("berth_inputs_total 8.0\n")
        .contains("berth_decisions_total 2.0\n")
        .contains("berth_preemptions_total{class=\"bronze\"} 0.0\n")
        .contains("berth_wait_seconds_count{class=\"gold\"} 2\n")
        .contains("berth_wait_within_total{class=\"gold\",le=\"86400.0\"} 2.0\n")
        .contains("berth_wait_within_total{class=\"gold\",le=\"+Inf\"} 2.0\n")
        .contains("berth_wait_within_total{class=\"bronze\",le=\"+Inf\"} 0.0\n")
        .contains("berth_actions_underway 2.0\n")
        .contains("# TYPE berth_pass_duration_seconds summary\n")
        .contains("# HELP berth_journal_size_bytes Size of the records and snapshots\n")
        .contains("berth_up 1.0\n");
    Matcher rows = Pattern.compile("(?m)^berth_waiting_instances\\{.*} (.*)$").matcher(scrape);
    double sum = rows.results().mapToDouble(each -> Double.parseDouble(each.group(1))).sum();
    assertThat(sum).isEqualTo(3);
    String file = System.getProperty("berth.test.scrape"); // for the guide
    if (file != null) {
      Files.writeString(Path.of(file), scrape);
    }
  }

  @Test
  void theDashboardQueriesWhatThereIsAndAllOfIt() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Path.of("..", "docs", "grafana", "berth.json").toFile());
    Set<String> queried = new TreeSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        Matcher names = Pattern.compile("berth_[a-z_]+").matcher(target.get("expr").asText());
        names.results().forEach(each -> queried.add(each.group()));
      }
    }
    Set<String> present =
        scrape()
            .lines()
            .filter(each -> each.startsWith("berth_"))
            .map(each -> each.replaceFirst("[{ ].*", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(queried).isEqualTo(present);
  }
}
