package acme.scheduling;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;

/** Embeds Berth on the module path: lists the policies found, and runs the one of this module. */
public final class Main {

  private Main() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    System.out.println("module " + Main.class.getModule().getName());
    System.out.println("core is in module " + Scheduler.class.getModule().getName());
    System.out.println("policies " + PolicyRegistry.load().ids());
    System.out.println("plan " + plan().actions());
  }

  static Plan plan() {
    ServiceClass batch = ServiceClass.builder("batch").slo(0.9).importance(1).build();
    Scheduler scheduler =
        Scheduler.builder()
            .policy("acme.night-shift", "{\"mostInstances\": 1}")
            .serviceClasses(batch)
            .seed(42)
            .build();
    scheduler.addHost(new HostSpec("h1", Resources.of(CPU, 4_000_000_000L)), 0);
    for (String id : new String[] {"r1", "r2"}) {
      scheduler.submit(
          Request.builder(id, "batch").demand(Resources.of(CPU, 500_000_000L)).build(), 0);
    }
    return scheduler.schedule(0); // places r1; the host is full for r2
  }
}
