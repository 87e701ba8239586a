package dev.berth.experiments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.experiments.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.ExperimentSpec.Sampling;
import dev.berth.experiments.ExperimentSpec.WorkloadSpec;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Overheads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.prepare.InfrastructureSizing;
import dev.berth.traces.prepare.UserClusters;
import dev.berth.traces.prepare.WorkloadDescription;
import dev.berth.traces.prepare.WorkloadSample;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a specification into an experiment: finds files and policies, and draws samples and hosts.
 */
public final class ExperimentLoader {

  private static final String SUBJECT = "experiment";
  private static final String PRIORITY = "priority";

  private final ExperimentSpec spec;
  private final Path base;
  private final PolicyRegistry registry;
  private final Map<Path, String> digests = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, Workload> files = new HashMap<>(); // by location
  private final Map<WorkloadSpec, Workload> workloads = new HashMap<>();
  private final Map<String, List<HostEvent>> hostEvents = new HashMap<>();
  private final Map<String, UserClusters> clusters = new HashMap<>();
  private final Map<List<Object>, Resources> peaks = new HashMap<>(); // by identity of requests
  private final Map<String, Infrastructure> hosts = new HashMap<>();
  private final Map<List<Object>, Infrastructure> sizes = new HashMap<>();
  private final Map<String, Integer> workloadNames = new HashMap<>(); // to their positions
  private final Map<String, Integer> hostNames = new HashMap<>();

  private ExperimentLoader(ExperimentSpec spec, Path base, PolicyRegistry registry) {
    this.spec = spec;
    this.base = base;
    this.registry = registry;
  }

  /**
   * Loads an experiment.
   *
   * @param spec the specification
   * @param base the folder that relative paths start from
   * @param registry where policies are looked up
   * @throws ConfigException if the experiment cannot run; lists all problems with policies
   * @throws dev.berth.traces.InputException if a file cannot be used
   */
  public static Experiment load(ExperimentSpec spec, Path base, PolicyRegistry registry) {
    return new ExperimentLoader(spec, base, registry).load();
  }

  private Experiment load() {
    List<ComparedPolicy> comparedPolicies = comparedPolicies();
    List<Case> cases = new ArrayList<>();
    for (int w = 0; w < spec.workloads().size(); w++) {
      WorkloadSpec workload = spec.workloads().get(w);
      List<@Nullable InfrastructureSpec> infrastructures = infrastructures(workload);
      for (int h = 0; h < infrastructures.size(); h++) {
        InfrastructureSpec infrastructure = infrastructures.get(h);
        for (double scale : spec.scales()) {
          for (long seed : spec.seeds()) {
            try {
              Case next = new CaseLoader(workload, infrastructure, scale, seed).load(cases.size());
              checkName("workloads", workloadNames, next.workload(), w);
              if (infrastructure != null) {
                checkName("infrastructures", hostNames, next.infrastructure(), h);
              }
              cases.add(next);
            } catch (IllegalArgumentException impossible) { // drawing failed
              throw wrong(
                  "workloads[%s]".formatted(w),
                  '"' + workload.from() + '"',
                  "cannot be prepared: " + sentence(impossible),
                  "");
            }
          }
        }
      }
    }
    return new Experiment(
        spec.name(),
        spec.description(),
        cases,
        comparedPolicies,
        reference(comparedPolicies),
        spec.metrics(),
        spec.toJson(),
        notes);
  }

  /** Refuses two different things with the same name in tables. */
  private static void checkName(String list, Map<String, Integer> placeOf, String name, int place) {
    Integer other = placeOf.putIfAbsent(name, place);
    if (other != null && other != place) {
      throw wrong(
          "%s[%s]".formatted(list, place),
          '"' + name + '"',
          "has the same name as %s[%s]".formatted(list, other),
          "Maybe give it a label of its own.");
    }
  }

  private static String sentence(IllegalArgumentException wrong) {
    String message = String.valueOf(wrong.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  private List<@Nullable InfrastructureSpec> infrastructures(WorkloadSpec workload) {
    if (!spec.infrastructures().isEmpty()) {
      return new ArrayList<>(spec.infrastructures());
    }
    if (!isBuiltIn(workload)) {
      throw wrong(
          "infrastructures",
          "[]",
          "must name the hosts for the workload \"%s\", which is a file".formatted(workload.from()),
          "Maybe add a csv file with the header id,cpu,memory.");
    }
    List<@Nullable InfrastructureSpec> its = new ArrayList<>();
    its.add(null);
    return its;
  }

  private Optional<String> reference(List<ComparedPolicy> comparedPolicies) {
    Optional<String> wanted = spec.reference();
    if (wanted.isEmpty()) {
      return comparedPolicies.stream()
          .map(ComparedPolicy::label)
          .filter(PRIORITY::equals)
          .findFirst();
    }
    List<String> labels = comparedPolicies.stream().map(ComparedPolicy::label).toList();
    if (!labels.contains(wanted.get())) {
      throw wrong(
          "reference",
          '"' + wanted.get() + '"',
          "must be the label of a policy of the experiment: " + String.join(", ", labels),
          "");
    }
    return wanted;
  }

  // ---- Policies

  private List<ComparedPolicy> comparedPolicies() {
    List<Problem> problems = new ArrayList<>();
    List<ComparedPolicy> comparedPolicies = new ArrayList<>();
    for (int i = 0; i < spec.policies().size(); i++) {
      PolicySpec each = spec.policies().get(i);
      String label = each.label().isBlank() ? each.policy() : each.label();
      if (comparedPolicies.stream().anyMatch(other -> other.label().equals(label))) {
        problems.add(
            new Problem(
                "policies[%s]".formatted(i),
                '"' + label + '"',
                "is already the label of another policy",
                "Maybe give it a label of its own."));
      }
      try {
        comparedPolicies.add(comparedPolicy(label, each));
      } catch (UnknownPolicyException unknown) {
        problems.add(
            new Problem(
                "policies[%s].policy".formatted(i),
                '"' + each.policy() + '"',
                "must be one of " + String.join(", ", registry.ids()),
                ""));
      } catch (ConfigException wrong) {
        String path = "policies[%s].".formatted(i);
        wrong.problems().stream().map(problem -> within(path, problem)).forEach(problems::add);
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(SUBJECT, problems);
    }
    if (spec.bounds()) {
      comparedPolicies.addAll(
          ComparedPolicy.bounds(comparedPolicies, registry, period(), overheads().mean()));
    }
    return comparedPolicies;
  }

  private static Problem within(String path, Problem problem) {
    return new Problem(path + problem.path(), problem.value(), problem.rule(), problem.hint());
  }

  private ComparedPolicy comparedPolicy(String label, PolicySpec policy) {
    PolicyFactory<?> factory = registry.get(policy.policy());
    return new ComparedPolicy(
        label,
        ComparedPolicy.Role.POLICY,
        PolicyChoice.of(factory, policy.config(), period(), overheads().mean()));
  }

  // ---- Settings shared by all cases

  private boolean isBuiltIn(WorkloadSpec workload) {
    return BuiltInWorkloads.names().contains(workload.from());
  }

  private Optional<Scenario> builtIn() {
    return spec.workloads().stream()
        .filter(this::isBuiltIn)
        .findFirst()
        .map(each -> BuiltInWorkloads.get(each.from(), 0, Duration.ZERO));
  }

  private Duration period() {
    return spec.period()
        .orElseGet(
            () ->
                spec.workloads().stream()
                    .filter(this::isBuiltIn)
                    .findFirst()
                    .map(each -> BuiltInWorkloads.period(each.from()))
                    .orElse(RunSettings.PERIOD_OF_FILES));
  }

  private Duration until() {
    return spec.until().or(() -> builtIn().map(Scenario::until)).orElse(RunSettings.UNTIL_OF_FILES);
  }

  private Overheads overheads() {
    if (spec.overheads().isEmpty() && spec.hotOverheads().isEmpty()) {
      return builtIn().map(Scenario::overheads).orElse(RunSettings.OVERHEADS_OF_FILES);
    }
    List<Duration> cold =
        spec.overheads()
            .orElseGet(
                () ->
                    builtIn()
                        .map(Scenario::overheads)
                        .orElse(RunSettings.OVERHEADS_OF_FILES)
                        .cold());
    return new Overheads(cold, spec.hotOverheads().orElse(cold));
  }

  /** One combination of the axes. */
  private final class CaseLoader {

    private final WorkloadSpec workloadSpec;
    private final @Nullable InfrastructureSpec infrastructureSpec;
    private final double scale;
    private final long seed;
    private final ObjectNode identity = JsonNodeFactory.instance.objectNode();

    CaseLoader(
        WorkloadSpec workload,
        @Nullable InfrastructureSpec infrastructure,
        double scale,
        long seed) {
      this.workloadSpec = workload;
      this.infrastructureSpec = infrastructure;
      this.scale = scale;
      this.seed = seed;
    }

    Case load(int number) {
      Duration margin = spec.margin().orElse(period());
      Optional<Scenario> builtIn =
          isBuiltIn(workloadSpec)
              ? Optional.of(BuiltInWorkloads.get(workloadSpec.from(), seed, margin))
              : Optional.empty();
      Workload workload =
          builtIn.map(Scenario::workload).orElseGet(() -> fromFile(workloadSpec, margin));
      Infrastructure infrastructure =
          infrastructureSpec == null
              ? scaled(workload, builtIn.orElseThrow().infrastructure())
              : sizes.computeIfAbsent(
                  List.of(requests(), infrastructureSpec, scale),
                  each -> scaled(workload, fromFile(infrastructureSpec)));
      Scenario scenario =
          builtIn
              .map(
                  each ->
                      new Scenario(
                          workload,
                          infrastructure,
                          until(),
                          overheads(),
                          each.migrationCost(),
                          each.resumeCost()))
              .orElseGet(() -> new Scenario(workload, infrastructure, until(), overheads()));
      Infrastructure all =
          infrastructureSpec == null
              ? builtIn.orElseThrow().infrastructure()
              : fromFile(infrastructureSpec);
      List<HostEvent> events = events(all, infrastructure);
      identify();
      return new Case(
          number,
          workloadSpec.label().isBlank() ? workload.name() : workloadSpec.label(),
          infrastructureSpec == null || infrastructureSpec.label().isBlank()
              ? nameOfAll(builtIn)
              : infrastructureSpec.label(),
          scale,
          new RunSettings(scenario, period(), margin, events, seed),
          identity);
    }

    /** Returns the name of the hosts at any scale. */
    private String nameOfAll(Optional<Scenario> builtIn) {
      if (infrastructureSpec == null) {
        return builtIn.orElseThrow().infrastructure().name();
      }
      String name = fromFile(infrastructureSpec).name();
      return infrastructureSpec.sized() ? "drawn from " + name : name;
    }

    /**
     * Draws hosts up to the peak demand if the specification says so, and removes some at scales
     * below 1.
     */
    private Infrastructure scaled(Workload workload, Infrastructure given) {
      boolean sized = infrastructureSpec != null && infrastructureSpec.sized();
      if (!sized && scale == 1) {
        return given;
      }
      long hostSeed = infrastructureSpec == null ? seed : infrastructureSpec.seed();
      Resources peak = peak(workload);
      Dimension driving = InfrastructureSizing.driving(peak, given);
      Infrastructure whole = given;
      if (sized) {
        String name = "%s for %s".formatted(given.name(), workload.name());
        whole = InfrastructureSizing.drawn(name, given, driving, peak.amount(driving), hostSeed);
      }
      if (scale == 1) {
        return whole;
      }
      BigDecimal full =
          sized
              ? BigDecimal.valueOf(peak.amount(driving))
              : new BigDecimal(InfrastructureSizing.total(whole, driving));
      long least =
          full.multiply(BigDecimal.valueOf(scale))
              .setScale(0, RoundingMode.CEILING)
              .longValueExact();
      String name = "%s of %s".formatted(scale, whole.name());
      return InfrastructureSizing.reduced(name, whole, driving, least, hostSeed);
    }

    private Resources peak(Workload workload) {
      return peaks.computeIfAbsent(
          requests(), each -> WorkloadDescription.of(workload).all().peak());
    }

    /** Returns what the requests depend on: built-in workloads are drawn with a seed. */
    private List<Object> requests() {
      return isBuiltIn(workloadSpec) ? List.of(workloadSpec, seed) : List.of(workloadSpec);
    }

    /** Returns the events of the existing hosts: some hosts may have been removed or not drawn. */
    private List<HostEvent> events(Infrastructure all, Infrastructure left) {
      if (spec.failures().isEmpty()) {
        return List.of();
      }
      String file = spec.failures().get();
      List<HostEvent> events = hostEvents.computeIfAbsent(file, each -> readEvents(file));
      Set<String> known = new HashSet<>(ids(all));
      known.addAll(ids(left));
      for (HostEvent each : events) {
        if (!known.contains(each.hostId())) {
          throw wrong(
              "failures",
              '"' + file + '"',
              "names the host \"%s\", but %s has no such host".formatted(each.hostId(), all.name()),
              "");
        }
      }
      Set<String> there = ids(left);
      return events.stream().filter(each -> there.contains(each.hostId())).toList();
    }

    private static Set<String> ids(Infrastructure infrastructure) {
      return infrastructure.hosts().stream().map(HostSpec::id).collect(Collectors.toSet());
    }

    private void identify() {
      identity.set("workload", unlabelled(workloadSpec));
      if (infrastructureSpec != null) {
        identity.set("infrastructure", unlabelled(infrastructureSpec));
        identity.put("infrastructureFile", digest(file(infrastructureSpec.from())));
      }
      identity.put(Case.SCALE, scale);
      identity.put("seed", seed);
      identity.put("until", Durations.format(until()));
      identity.put("period", Durations.format(period()));
      identity.put("margin", Durations.format(spec.margin().orElse(period())));
      identity.set("overheads", CellJson.tree(overheads()));
      if (!isBuiltIn(workloadSpec)) {
        identity.put("workloadFile", digest(file(workloadSpec.from())));
      }
      if (!workloadSpec.classes().isBlank()) {
        identity.put("classesFile", digest(path(workloadSpec.classes())));
      }
      spec.failures().ifPresent(each -> identity.put("failuresFile", digest(file(each))));
    }
  }

  /** Returns the specification without its label, which does not affect results. */
  private static ObjectNode unlabelled(Record spec) {
    ObjectNode node = (ObjectNode) CellJson.tree(spec);
    node.remove("label");
    return node;
  }

  // ---- Files

  private Workload fromFile(WorkloadSpec workload, Duration margin) {
    return workloads.computeIfAbsent(workload, each -> sampled(each, whole(each, margin)));
  }

  private Workload whole(WorkloadSpec workload, Duration margin) {
    String key = "%s %s %s".formatted(workload.skipBad(), workload.classes(), workload.from());
    return files.computeIfAbsent(
        key, each -> UnchangedWorkload.of(file(workload.from()), () -> read(workload, margin)));
  }

  private Workload read(WorkloadSpec workload, Duration margin) {
    List<ServiceClass> classes =
        workload.classes().isBlank()
            ? ServiceClasses.goldSilverBronze(margin)
            : Readers.serviceClasses(path(workload.classes()).toString(), margin);
    FileWorkload read =
        Readers.workload(location(workload.from()), classes, new ReadOptions(workload.skipBad()));
    read.report().skipped().forEach((why, count) -> notes.add(note(workload.from(), count, why)));
    if (read.report().badLines() > 0) {
      notes.add(note(workload.from(), read.report().badLines(), "bad lines"));
    }
    return read;
  }

  private static String note(String file, long count, String why) {
    return "%s: left out %s: %s".formatted(file, count, why);
  }

  private Workload sampled(WorkloadSpec workload, Workload whole) {
    Sampling sample = workload.sample();
    if (sample == null) {
      return whole;
    }
    String key = "%s %s %s".formatted(sample.groups(), sample.seed(), workload.from());
    UserClusters users =
        clusters.computeIfAbsent(
            key, each -> UserClusters.of(whole, sample.groups(), sample.seed()));
    return WorkloadSample.of(whole, users, sample.share(), sample.number(), sample.seed());
  }

  private Infrastructure fromFile(InfrastructureSpec infrastructure) {
    return hosts.computeIfAbsent(infrastructure.from(), this::readHosts);
  }

  private Infrastructure readHosts(String from) {
    ReadResult<Infrastructure> read = Readers.infrastructure(location(from), ReadOptions.STRICT);
    read.report().skipped().forEach((why, count) -> notes.add(note(from, count, why)));
    return read.value();
  }

  private List<HostEvent> readEvents(String from) {
    ReadResult<List<HostEvent>> read = Readers.hostEvents(location(from), ReadOptions.STRICT);
    read.report().skipped().forEach((why, count) -> notes.add(note(from, count, why)));
    return read.value();
  }

  /** Returns a location with its path resolved and its format unchanged. */
  private String location(String location) {
    Path file = file(location);
    int colon = location.indexOf(':');
    boolean forced = colon > 0 && !Files.exists(path(location));
    return (forced ? location.substring(0, colon + 1) : "") + file;
  }

  private Path file(String location) {
    Path plain = path(location);
    int colon = location.indexOf(':');
    return colon < 1 || Files.exists(plain) ? plain : path(location.substring(colon + 1));
  }

  private Path path(String file) {
    return base.resolve(file);
  }

  private String digest(Path file) {
    return digests.computeIfAbsent(file, CellKey::content);
  }

  private static ConfigException wrong(String path, String value, String rule, String hint) {
    return new ConfigException(SUBJECT, List.of(new Problem(path, value, rule, hint)));
  }
}
