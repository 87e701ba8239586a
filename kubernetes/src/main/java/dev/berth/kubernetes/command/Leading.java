package dev.berth.kubernetes.command;

import dev.berth.kubernetes.binding.LeaderLease;
import dev.berth.kubernetes.binding.PodScheduler;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.tasks.Trouble;
import dev.berth.runtime.StatusHandler;
import dev.berth.runtime.micrometer.BerthMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The scheduler of this process, while it leads, and its metrics. */
final class Leading implements LeaderLease.Work {

  private static final Duration UNREADY = Duration.ofMinutes(1);
  private static final Duration STALE = Duration.ofMinutes(5);

  private final KubernetesClient client;
  private final Configuration configuration;
  private final String namespace;
  private final String identity;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final LongSupplier nanoTime;
  private final Trouble beginning;
  private volatile long triedAt;
  private volatile @Nullable PodScheduler scheduler;
  private volatile @Nullable StatusHandler page;
  private @Nullable BerthMetrics metrics;

  Leading(KubernetesClient client, Configuration configuration, String namespace, String identity) {
    this(client, configuration, namespace, identity, System::nanoTime);
  }

  /**
   * As the other one, for tests.
   *
   * @param nanoTime a clock that never runs backwards, for how long it is not ready
   */
  Leading(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.beginning = new Trouble(nanoTime);
    this.client = client;
    this.configuration = configuration;
    this.namespace = namespace;
    this.identity = identity;
    gauge("leading", "Whether this process leads: 1 or 0.", each -> 1);
    gauge(
        "api.requests.under.way",
        "Requests that the API server has not answered.",
        PodScheduler::requestsUnderWay);
    gauge("histories.waiting", "Histories that wait for a pod.", PodScheduler::histories);
    gauge("pods.refused", "Pods that ask for what is not understood.", PodScheduler::refusedPods);
    FunctionCounter.builder(
            "berth.kubernetes.api.requests", this, each -> each.value(PodScheduler::requests))
        .description("Requests to the API server since this process began to lead.")
        .register(registry);
  }

  private void gauge(String name, String meaning, ToDoubleFunction<PodScheduler> value) {
    Gauge.builder("berth.kubernetes." + name, this, each -> each.value(value))
        .description(meaning)
        .register(registry);
  }

  private double value(ToDoubleFunction<PodScheduler> of) {
    PodScheduler present = scheduler;
    return present == null ? 0 : of.applyAsDouble(present);
  }

  @Override
  public synchronized void begin(BooleanSupplier mayWrite) throws IOException {
    PodScheduler begun;
    triedAt = nanoTime.getAsLong();
    beginning.tried("it has not compared the cluster yet");
    try {
      begun = PodScheduler.start(client, configuration, namespace, identity, mayWrite);
    } catch (IOException | RuntimeException failed) {
      beginning.failed(String.valueOf(failed.getMessage()));
      throw failed;
    }
    beginning.over();
    metrics = new BerthMetrics(begun.loop());
    metrics.bindTo(registry);
    page = StatusHandler.local(begun.loop());
    scheduler = begun;
  }

  @Override
  public synchronized void end() {
    PodScheduler ended = scheduler;
    scheduler = null;
    StatusHandler shown = page;
    page = null;
    if (shown != null) {
      shown.close();
    }
    if (metrics != null) {
      metrics.close();
      metrics = null;
    }
    if (ended != null) {
      ended.close();
    }
  }

  /** Returns whether the scheduler works, or this process does not lead. */
  boolean isAlive() {
    PodScheduler present = scheduler;
    return present == null || present.isAlive();
  }

  /** Returns why the scheduler schedules nothing although this process lives; empty if it does. */
  Optional<String> unready() {
    PodScheduler present = scheduler;
    if (present != null) {
      return present.unready();
    }
    // One that has not tried for a while waits for its turn: another one leads.
    return nanoTime.getAsLong() - triedAt > STALE.toNanos()
        ? Optional.empty()
        : beginning.lasting(UNREADY).map(why -> "it could not begin to lead " + why);
  }

  /** Returns the status page of the scheduler; empty unless this process leads. */
  Optional<StatusHandler> page() {
    return Optional.ofNullable(page);
  }

  String scrape() {
    return registry.scrape();
  }
}
