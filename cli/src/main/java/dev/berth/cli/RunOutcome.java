package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.simulator.ClassResult;
import dev.berth.simulator.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What became of the run of one policy. */
sealed interface RunOutcome {

  /** Returns the id of the policy. */
  String policy();

  /** Returns the effective configuration of the policy. */
  JsonNode config();

  /**
   * The run came to its end.
   *
   * @param result what it came to
   * @param wallTime what it took; not to be part of anything that is compared
   */
  record Finished(RunResult result, Duration wallTime) implements RunOutcome {

    @Override
    public String policy() {
      return result.policy();
    }

    @Override
    public JsonNode config() {
      return result.config();
    }

    /** Returns the figures of the service class of that name, if anything asked for it. */
    Optional<ClassFigures> figures(String serviceClass) {
      return result.classes().stream()
          .filter(each -> each.name().equals(serviceClass))
          .findFirst()
          .map(Finished::figures);
    }

    /** Returns the figures of all service classes, most important first. */
    List<ClassFigures> figures() {
      return result.classes().stream().map(Finished::figures).toList();
    }

    private static ClassFigures figures(ClassResult got) {
      return new ClassFigures(
          got.name(),
          got.slo(),
          got.count(),
          got.min(),
          got.mean(),
          got.max(),
          got.fulfilment(),
          got.meanDeficit(),
          got.maxDeficit(),
          OptionalLong.of(got.neverRan()),
          OptionalLong.of(got.preemptions()));
    }
  }

  /**
   * The policy could not be made, or threw in a pass.
   *
   * @param policy id of the policy
   * @param config its effective configuration
   * @param why what happened, in a line
   * @param failure what it threw
   */
  record Failed(String policy, JsonNode config, String why, Throwable failure)
      implements RunOutcome {}
}
