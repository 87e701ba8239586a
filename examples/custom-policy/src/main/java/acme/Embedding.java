package acme;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;

/** Embeds Berth: tells it of a host and a request, and prints the plan it gets. */
public final class Embedding {

  private Embedding() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    System.out.println(run().actions());
  }

  static Plan run() {
    ServiceClass gold = ServiceClass.builder("gold").slo(1.0).importance(1).build();
    ServiceClass bronze = ServiceClass.builder("bronze").slo(0.5).importance(2).build();
    Scheduler scheduler =
        Scheduler.builder().policy("qos-attained").serviceClasses(gold, bronze).seed(42).build();

    long now = 0; // nanoseconds since an epoch of your choice; Berth has no clock
    scheduler.addHost(new HostSpec("h1", Resources.of(CPU, CPU.whole(4))), now);
    scheduler.submit(
        Request.builder("r1", "gold").demand(Resources.of(CPU, 500_000_000L)).build(), now);
    Plan plan = scheduler.schedule(now); // place r1 on h1
    scheduler.started("r1", now + 2_000_000_000L); // you started it; its service begins
    return plan;
  }
}
