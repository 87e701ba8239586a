package dev.berth.experiments.spec;

import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.experiments.run.ComparedPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks up the policies of an experiment, and reports all problems with them together. */
record PolicyLoader(ExperimentSpec spec, PolicyRegistry registry, SharedSettings settings) {

  private static final String PRIORITY = "priority";

  /** Returns the policies in the order of the specification; the bounds follow. */
  List<ComparedPolicy> load() {
    Duration watchdog = settings.watchdog();
    Duration meanStartOverhead = settings.overheads().mean();
    List<Problem> problems = new ArrayList<>();
    List<ComparedPolicy> comparedPolicies = new ArrayList<>();
    for (int i = 0; i < spec.policies().size(); i++) {
      PolicySpec each = spec.policies().get(i);
      if (comparedPolicies.stream().anyMatch(other -> other.label().equals(each.name()))) {
        problems.add(
            new Problem(
                "policies[%s]".formatted(i),
                '"' + each.name() + '"',
                "is already the label of another policy",
                "Maybe give it a label of its own."));
      }
      try {
        comparedPolicies.add(each.resolve(registry, watchdog, meanStartOverhead));
      } catch (UnknownPolicyException unknown) {
        problems.add(ReferenceCheck.unknown(registry, "policies[%s]".formatted(i), each));
      } catch (ConfigException wrong) {
        String path = "policies[%s]".formatted(i);
        wrong.problems().forEach(problem -> problems.add(ReferenceCheck.within(path, problem)));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(ExperimentLoader.SUBJECT, ExperimentLimits.shortened(problems));
    }
    if (spec.bounds()) {
      comparedPolicies.addAll(
          ComparedPolicy.bounds(comparedPolicies, registry, watchdog, meanStartOverhead));
    }
    return comparedPolicies;
  }

  /** Returns the label of the reference policy; by default {@code priority}, if it is compared. */
  Optional<String> reference(List<ComparedPolicy> comparedPolicies) {
    String wanted = spec.reference();
    List<String> labels = comparedPolicies.stream().map(ComparedPolicy::label).toList();
    if (wanted == null) {
      return labels.stream().filter(PRIORITY::equals).findFirst();
    }
    if (!labels.contains(wanted)) {
      throw ExperimentLoader.invalid(
          "reference",
          '"' + wanted + '"',
          "must be the label of a policy of the experiment: " + String.join(", ", labels),
          "");
    }
    return Optional.of(wanted);
  }
}
