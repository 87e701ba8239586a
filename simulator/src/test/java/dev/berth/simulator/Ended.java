package dev.berth.simulator;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Outcomes of ended requests. */
public final class Ended {

  public static final ServiceClass GOLD = ServiceClasses.goldSilverBronze(Duration.ZERO).get(0);
  public static final ServiceClass SILVER = ServiceClasses.goldSilverBronze(Duration.ZERO).get(1);
  public static final ServiceClass BRONZE = ServiceClasses.goldSilverBronze(Duration.ZERO).get(2);

  private Ended() {}

  /** A request of two cores, admitted at 0, that waited and then completed its work. */
  public static RequestOutcome completed(
      long number, ServiceClass serviceClass, Duration service, Duration wait) {
    return outcome(
        number, serviceClass, RequestOutcome.End.COMPLETED, service.toNanos(), service, wait);
  }

  public static RequestOutcome outcome(
      long number,
      ServiceClass serviceClass,
      RequestOutcome.End end,
      long work,
      Duration service,
      Duration wait) {
    long life = service.plus(wait).toNanos();
    String id = "r" + number;
    return new RequestOutcome(
        number,
        Request.builder(id, serviceClass.name())
            .demand(Resources.of(Dimension.CPU, 2L * Dimension.CPU.unitsPerWhole()))
            .build(),
        work,
        end,
        new InstanceReport(id, serviceClass, 0, life, service.toNanos(), wait.toNanos(), 0, 1, 0),
        OptionalLong.empty(),
        OptionalLong.empty(),
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }
}
