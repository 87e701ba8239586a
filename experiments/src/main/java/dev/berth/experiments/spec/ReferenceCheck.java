package dev.berth.experiments.spec;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the files and policies of an experiment exist, and that policies accept their
 * settings.
 *
 * @param base the folder that relative paths start from
 * @param registry where policies are looked up
 */
record ReferenceCheck(Path base, PolicyRegistry registry) implements ExperimentSpec.References {

  @Override
  public void check(
      Map<String, WorkloadSpec> workloads,
      Map<String, InfrastructureSpec> infrastructures,
      Map<String, PolicySpec> policies,
      @Nullable String events,
      List<Problem> problems) {
    workloads.forEach((path, each) -> workload(path, each, problems));
    infrastructures.forEach(
        (path, each) -> file(path + ".from", each.from(), "is no file", "", problems));
    if (events != null) {
      file("events", events, "is no file", "", problems);
    }
    policies.forEach((path, each) -> policy(path, each, problems));
  }

  private void workload(String path, WorkloadSpec workload, List<Problem> problems) {
    if (!SharedSettings.isBuiltIn(workload)) {
      List<String> builtIn = BuiltInWorkloads.names();
      file(
          path + ".from",
          workload.from(),
          "is neither built in nor a file",
          NearestName.hintAndList(workload.from(), builtIn),
          problems);
    }
    if (!workload.classes().isBlank()) {
      file(path + ".classes", workload.classes(), "is no file", "", problems);
    }
  }

  /** Adds a problem if neither the location nor what follows its format is a file. */
  private void file(
      String path, String location, String rule, String hint, List<Problem> problems) {
    if (!location.isBlank()
        && !exists(location)
        && !exists(location.substring(location.indexOf(':') + 1))) {
      problems.add(new Problem(path, '"' + location + '"', rule, hint));
    }
  }

  private boolean exists(String file) {
    try {
      return Files.exists(base.resolve(file));
    } catch (InvalidPathException malformed) {
      return false;
    }
  }

  /** Adds the problems of a policy: there is none with its id, or it refuses its settings. */
  private void policy(String path, PolicySpec policy, List<Problem> problems) {
    if (policy.policy().isBlank()) {
      return; // reported already
    }
    if (!registry.ids().contains(policy.policy())) {
      problems.add(unknown(registry, path, policy));
      return;
    }
    try {
      policy.resolve(registry);
    } catch (ConfigException wrong) {
      wrong.problems().forEach(each -> problems.add(within(path, each)));
    }
  }

  /** Returns the problem that no policy has an id. */
  static Problem unknown(PolicyRegistry registry, String path, PolicySpec policy) {
    String hint = NearestName.hint(policy.policy(), registry.ids());
    return new Problem(
        path + ".policy",
        '"' + policy.policy() + '"',
        "is no policy",
        hint.isEmpty()
            ? "Maybe its jar is missing: --plugins DIR names the folder. 'berth policies' lists all."
            : hint);
  }

  /** Returns a problem of the settings of a policy as a problem of the experiment. */
  static Problem within(String path, Problem problem) {
    return new Problem(
        path + "." + problem.path(), problem.value(), problem.rule(), problem.hint());
  }
}
