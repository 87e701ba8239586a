package acme.scheduling;

import dev.berth.api.Reason;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.util.Optional;

/** Leaves a number of instance slots of each host empty, for those who come at night. */
final class NightShift implements PolicyFactory<NightShift.Config> {

  /**
   * How much to leave empty.
   *
   * @param mostInstances instances a host may hold at most, from 1 to 1000
   */
  record Config(int mostInstances) {
    Config {
      if (mostInstances < 1 || mostInstances > 1000) {
        throw new IllegalArgumentException(
            "mostInstances was %s, must be from 1 to 1000".formatted(mostInstances));
      }
    }
  }

  @Override
  public String id() {
    return "acme.night-shift";
  }

  @Override
  public String summary() {
    return "limits the instances on each host";
  }

  @Override
  public Config defaults() {
    return new Config(10);
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    Reason full = new Reason.PolicyChoice("acme.full", "the host is kept free for the night");
    return context
        .pipeline()
        .queue(QueueDiscipline.FIFO)
        .filter(
            (instance, host, now) ->
                host.instances().size() < config.mostInstances()
                    ? Optional.empty()
                    : Optional.of(full))
        .build();
  }
}
