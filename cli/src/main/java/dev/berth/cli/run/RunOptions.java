package dev.berth.cli.run;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.FormatNames;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.Repeated;
import dev.berth.cli.input.SeedOption;
import dev.berth.cli.input.ValueConverters;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.HostEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the scenario, shared by all commands that simulate. */
public final class RunOptions {

  private static final String DURATIONS = "DURATION[xN][,DURATION[xN]...]";

  @Option(
      names = "--workload",
      paramLabel = "NAME|[FORMAT:]FILE",
      defaultValue = "mixed",
      description =
          "The requests: mixed, a fleet of services, builds and batch jobs, validation-1 or "
              + "validation-2 of the QoS-driven scheduling paper, memic-1, memic-2, memic-4 or memic-parsec of the "
              + "thesis on memory elasticity, render-farm, whose frames lose their work when they are "
              + "preempted, or a file, compressed or not, or the folder of a journal; "
              + "default ${DEFAULT-VALUE}. Formats, detected by content unless given: "
              + "${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.Workloads.class)
  private String workload = "";

  @Option(
      names = "--infrastructure",
      paramLabel = "[FORMAT:]FILE",
      description =
          "The hosts; default those of the built-in workload, or of the journal that --workload names. "
              + "Formats: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.Infrastructures.class)
  private @Nullable String infrastructure;

  @Mixin private ConfigOptions configs = new ConfigOptions();

  @Option(
      names = "--watchdog",
      paramLabel = "DURATION",
      description =
          "Longest time between two scheduling passes; overrides the watchdog of configurations; "
              + "default 30s, for the memory workloads 5s. Durations are like 30s, 1500ms, 10m, 1h30m, 2d, PT30S.")
  private @Nullable Duration watchdog;

  @Option(
      names = "--apart",
      paramLabel = "DURATION",
      description =
          "Least time between two scheduling passes, at most the watchdog. One pass handles all events "
              + "since the previous one, so long traces take less time. Default: any event can make "
              + "a pass due.")
  private @Nullable Duration apart;

  @Option(
      names = "--margin",
      paramLabel = "DURATION",
      description = "Safety margin of all service classes; default: the watchdog.")
  private @Nullable Duration margin;

  @Option(
      names = "--overheads",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      description =
          "Times from placement to readiness, drawn with equal probability; 2sx625 means 625 times 2s. "
              + "Default: published ones for a built-in workload, 2s,2s,3s for a file. Their mean "
              + "is the default expectedOverhead of policies.")
  private List<Repeated> overheads = new ArrayList<>();

  @Option(
      names = "--hot-overheads",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      description =
          "The same on a host where the instance ran before; default: those of --overheads.")
  private List<Repeated> hotOverheads = new ArrayList<>();

  @Option(
      names = "--termination",
      paramLabel = "DURATION",
      description =
          "Time that the victims of a preemption take to leave their host; added to the overhead "
              + "of the placement. Default 0s.")
  private Duration termination = Duration.ZERO;

  @Option(
      names = "--decision-times",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      description =
          "Times for which the scheduler is busy with each placement, one at a time, drawn with "
              + "equal probability. Default: 0s, a pass decides on all requests at one instant.")
  private List<Repeated> decisionTimes = new ArrayList<>();

  @Option(
      names = "--plain-decision-times",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      description =
          "The same for placements that preempt nothing; default: those of --decision-times.")
  private List<Repeated> plainDecisionTimes = new ArrayList<>();

  @Option(
      names = {"--events", "--failures"},
      paramLabel = "[FORMAT:]FILE",
      description =
          "Failures, recoveries and taints of hosts, and counted limits, by time; default none, or those "
              + "of the journal that --workload names and whose hosts are used. "
              + "Formats: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.HostEvents.class)
  private @Nullable String events;

  @Option(
      names = "--faults",
      paramLabel = "mild|rough|FILE",
      description =
          "How unreliable the fleet is: mild, rough, or a JSON file. Reports are lost, doubled and "
              + "late, actions are refused, starts fail, hosts change, the scheduler restarts. "
              + "Default: the fleet does what plans say. The infinite host has no faults.")
  private @Nullable String faults;

  @Mixin private Inputs inputs = new Inputs();

  @Mixin private SeedOption seed = new SeedOption();

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      description = "Simulated time at which a run ends; default 1h, for the memory workloads 4h.")
  private @Nullable Duration until;

  /**
   * Returns policies with their configurations. A cheap check: reads no other files.
   *
   * @param registry where they are looked up
   * @param ids of the policies
   * @throws BadInputException if there is no such policy, or its configuration cannot be used
   */
  public List<PolicyChoice<?>> policies(PolicyRegistry registry, List<String> ids) {
    return configs.policies(registry, ids, watchdog(), delays().mean());
  }

  /**
   * Reads and checks everything but the policy that a run depends on.
   *
   * @throws BadInputException if an input cannot be used
   */
  public RunSettings settings() {
    inputs.check();
    Duration phi = margin == null ? watchdog() : margin;
    String hosts = infrastructure;
    String changes = events;
    if (hosts == null && !isBuiltIn() && Inputs.hasHosts(workload)) {
      hosts = workload;
      changes = changes == null ? workload : changes;
    }
    Scenario scenario = inputs.scenario(workload, hosts, seed.value(), phi, until(), delays());
    List<HostEvent> planned =
        changes == null ? List.of() : inputs.hostEvents(changes, scenario.infrastructure());
    DecisionTimes busy = RunSettings.decisionTimes(given(decisionTimes), given(plainDecisionTimes));
    Optional<FaultSettings> unreliable = Optional.ofNullable(faults).map(Faults::parse);
    return Inputs.checked(
        () ->
            new RunSettings(
                scenario, watchdog(), apart(), phi, planned, seed.value(), busy, unreliable));
  }

  private static Optional<List<Duration>> given(List<Repeated> durations) {
    return durations.isEmpty() ? Optional.empty() : Optional.of(Repeated.expand(durations));
  }

  private boolean isBuiltIn() {
    return BuiltInWorkloads.names().contains(workload);
  }

  /** Returns the longest time between two passes. */
  public Duration watchdog() {
    if (watchdog != null) {
      return ValueConverters.positive("--watchdog", watchdog);
    }
    return isBuiltIn() ? BuiltInWorkloads.watchdog(workload) : RunSettings.WATCHDOG_OF_FILES;
  }

  private Duration apart() {
    return apart == null ? Duration.ZERO : ValueConverters.positive("--apart", apart);
  }

  private Duration until() {
    if (until != null) {
      return ValueConverters.positive("--until", until);
    }
    return isBuiltIn() ? builtIn().until() : RunSettings.UNTIL_OF_FILES;
  }

  private Scenario builtIn() {
    return BuiltInWorkloads.get(workload, seed.value(), Duration.ZERO);
  }

  /** Returns the times from placement to readiness. */
  public Overheads delays() {
    return startTimes().withTermination(termination);
  }

  private Overheads startTimes() {
    if (overheads.isEmpty() && hotOverheads.isEmpty() && isBuiltIn()) {
      return builtIn().overheads();
    }
    List<Duration> cold = Repeated.expand(overheads);
    if (cold.isEmpty()) {
      cold = (isBuiltIn() ? builtIn().overheads() : RunSettings.OVERHEADS_OF_FILES).cold();
    }
    return new Overheads(cold, hotOverheads.isEmpty() ? cold : Repeated.expand(hotOverheads));
  }

  /** Returns whether published results exist for these requests on these hosts. */
  public boolean isPublishedExperiment() {
    return BuiltInWorkloads.isValidation(workload) && infrastructure == null;
  }
}
