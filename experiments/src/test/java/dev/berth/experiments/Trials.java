package dev.berth.experiments;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Small experiments, and tiny policies to try in them. */
public final class Trials {

  public static final String REQUESTS =
      """
      admitted,id,class,service_time,cpu,memory
      0s,a,gold,10m,2,2
      0s,b,bronze,10m,1,1
      5s,c,bronze,10m,2,2
      9m,d,gold,3m,1,1
      """;

  public static final String HOSTS =
      """
      id,cpu,memory
      h1,2,4
      h2,2,4
      """;

  private Trials() {}

  /** The configuration of the policies. */
  public record Config(Duration watchdog, Duration expectedOverhead, int patience) {
    public Config {
      if (patience < 0) {
        throw new IllegalArgumentException("patience must be 0 or more");
      }
    }
  }

  /**
   * {@code priority} places important requests first, {@code never-preempt} early ones. {@code
   * breaks} fails in its first pass, {@code bursts} fails with an error of the virtual machine.
   */
  public static PolicyRegistry registry() {
    return PolicyRegistry.of(
        new Factory(
            "priority",
            pass -> place(pass, Comparator.comparing(each -> each.serviceClass().importance()))),
        new Factory("never-preempt", pass -> place(pass, Comparator.comparing(Instance::id))),
        new Factory(
            "breaks",
            pass -> {
              throw new IllegalStateException("out of ideas");
            }),
        new Factory(
            "bursts",
            pass -> {
              throw new StackOverflowError("too deep");
            }));
  }

  /** Returns a registry without the policy of the bounds. */
  public static PolicyRegistry withoutBounds() {
    return PolicyRegistry.of(
        new Factory("priority", pass -> place(pass, Comparator.comparing(Instance::id))));
  }

  private static void place(SchedulingPass pass, Comparator<Instance> order) {
    List<Instance> pending = pass.pending().stream().sorted(order).toList();
    for (Instance instance : pending) {
      for (Host host : pass.hosts()) {
        if (pass.place(instance, host).accepted()) {
          break;
        }
      }
    }
  }

  public static Path write(Path folder, String name, String content) {
    try {
      Files.createDirectories(folder);
      return Files.writeString(folder.resolve(name), content);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes requests.csv and hosts.csv. */
  public static void writeFiles(Path folder) {
    write(folder, "requests.csv", REQUESTS);
    write(folder, "hosts.csv", HOSTS);
  }

  public static ExperimentSpec spec(String json) {
    return ExperimentSpec.parse("trial.json", json.replace('\'', '"'));
  }

  public static Experiment load(Path folder, String json) {
    return ExperimentLoader.load(spec(json), folder, registry());
  }

  /** Returns an experiment on those files, with more keys. */
  public static Experiment onFiles(Path folder, String more) {
    return load(
        folder,
        "{'workloads':['requests.csv'],'infrastructures':['hosts.csv'],'policies':['priority']"
            + more
            + "}");
  }

  private record Factory(String id, Policy policy) implements PolicyFactory<Config> {

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Config defaults() {
      return defaults(Duration.ZERO);
    }

    @Override
    public Config defaults(Duration meanStartOverhead) {
      return new Config(Duration.ofSeconds(10), meanStartOverhead, 3);
    }

    @Override
    public Config withWatchdog(Config config, Duration watchdog) {
      return new Config(watchdog, config.expectedOverhead(), config.patience());
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      return new Policy() {
        @Override
        public void schedule(SchedulingPass pass) {
          policy.schedule(pass);
        }

        @Override
        public Optional<Duration> watchdog() {
          return Optional.of(config.watchdog());
        }
      };
    }
  }
}
