package dev.berth.experiments.spec;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a specification into an experiment: finds files and policies, and draws samples and hosts.
 */
public final class ExperimentLoader {

  /** What the problems of a configuration are about. */
  static final String SUBJECT = "experiment";

  private final ExperimentSpec spec;
  private final List<SharedSettings> settings;
  private final PolicyLoader policies;
  private final ExperimentFiles files;
  private final CaseLoader.Drawn drawn = new CaseLoader.Drawn();
  private final Map<String, Integer> workloadNames = new HashMap<>(); // to their positions
  private final Map<String, Integer> hostNames = new HashMap<>();

  private ExperimentLoader(
      ExperimentSpec spec, Path base, UnaryOperator<Path> located, PolicyRegistry registry) {
    this.spec = spec;
    this.settings = SharedSettings.of(spec);
    this.policies = new PolicyLoader(spec, registry, settings.get(0));
    this.files = new ExperimentFiles(base, located);
  }

  /**
   * Loads an experiment.
   *
   * @param spec the specification
   * @param base the folder that relative paths start from
   * @param registry where policies are looked up
   * @throws ConfigException if the experiment cannot run; lists all problems with policies
   * @throws dev.berth.traces.input.InputException if a file cannot be used
   */
  public static Experiment load(ExperimentSpec spec, Path base, PolicyRegistry registry) {
    return load(spec, base, UnaryOperator.identity(), registry);
  }

  /**
   * Loads an experiment as {@link #load(ExperimentSpec, Path, PolicyRegistry)} from copies of its
   * files.
   *
   * @param located returns where the copy of a file is
   */
  public static Experiment load(
      ExperimentSpec spec, Path base, UnaryOperator<Path> located, PolicyRegistry registry) {
    return new ExperimentLoader(spec, base, located, registry).load();
  }

  /**
   * Returns the files and folders that an experiment reads.
   *
   * @param base the folder that relative paths start from
   */
  public static List<Path> inputs(ExperimentSpec spec, Path base) {
    ExperimentFiles files = new ExperimentFiles(base, UnaryOperator.identity());
    Set<Path> inputs = new LinkedHashSet<>();
    for (WorkloadSpec each : spec.workloads()) {
      if (!SharedSettings.isBuiltIn(each)) {
        inputs.add(files.file(each.from()));
      }
      if (!each.classes().isBlank()) {
        inputs.add(files.path(each.classes()));
      }
    }
    spec.infrastructures().forEach(each -> inputs.add(files.file(each.from())));
    if (spec.events() != null) {
      inputs.add(files.file(spec.events()));
    }
    return List.copyOf(inputs);
  }

  private Experiment load() {
    List<Problem> problems = new ArrayList<>();
    ExperimentLimits.check(spec, settings, problems);
    if (!problems.isEmpty()) {
      throw new ConfigException(SUBJECT, problems);
    }
    List<ComparedPolicy> comparedPolicies = policies.load();
    List<Case> cases = new ArrayList<>();
    for (int w = 0; w < spec.workloads().size(); w++) {
      List<@Nullable InfrastructureSpec> infrastructures = infrastructures(spec.workloads().get(w));
      for (int h = 0; h < infrastructures.size(); h++) {
        addCases(cases, w, infrastructures.get(h), h);
      }
    }
    return new Experiment(
        spec.name(),
        spec.description(),
        cases,
        comparedPolicies,
        policies.reference(comparedPolicies),
        spec.metrics().settings(),
        spec.toJson(),
        files.notes());
  }

  /** Adds the cases of a workload, by number, on an infrastructure. */
  private void addCases(
      List<Case> cases, int w, @Nullable InfrastructureSpec infrastructure, int h) {
    WorkloadSpec workload = spec.workloads().get(w);
    for (double scale : spec.scales()) {
      for (SharedSettings its : settings) {
        for (long seed : spec.seeds()) {
          try {
            Case next =
                new CaseLoader(its, files, drawn, workload, infrastructure, scale, seed)
                    .load(cases.size());
            checkName("workloads", workloadNames, next.workload(), w);
            if (infrastructure != null) {
              checkName("infrastructures", hostNames, next.infrastructure(), h);
            }
            cases.add(next);
          } catch (IllegalArgumentException impossible) { // drawing failed
            throw invalid(
                "workloads[%s]".formatted(w),
                '"' + workload.from() + '"',
                "cannot be prepared: " + sentence(impossible),
                "");
          }
        }
      }
    }
  }

  /** Refuses two different things with the same name in tables. */
  private static void checkName(String list, Map<String, Integer> placeOf, String name, int place) {
    Integer other = placeOf.putIfAbsent(name, place);
    if (other != null && other != place) {
      throw invalid(
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
    if (!SharedSettings.isBuiltIn(workload)) {
      throw invalid(
          "infrastructures",
          "[]",
          "must name the hosts for the workload \"%s\", which is a file".formatted(workload.from()),
          "Maybe add a csv file with the header id,cpu,memory.");
    }
    List<@Nullable InfrastructureSpec> its = new ArrayList<>();
    its.add(null);
    return its;
  }

  /** Returns a problem with one value of an experiment. */
  static ConfigException invalid(String path, String value, String rule, String hint) {
    return new ConfigException(SUBJECT, List.of(new Problem(path, value, rule, hint)));
  }
}
