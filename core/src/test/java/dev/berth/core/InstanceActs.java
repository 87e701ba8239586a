package dev.berth.core;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.policy.SchedulingPass;
import java.util.List;

/** Actions on instances that tests of random action sequences choose from. */
final class InstanceActs {

  static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private InstanceActs() {}

  /**
   * Attempts one action, valid or not.
   *
   * @param choice which action: 0 to 7 act on the instance, any other number defers it
   * @param subject a number that decides the details
   */
  static void act(
      SchedulingPass pass, int choice, int subject, Instance instance, Host host, Resources grant) {
    List<Instance> there = List.copyOf(host.instances());
    switch (choice) {
      case 0 -> pass.place(instance, host, List.of(), grant);
      case 1 -> pass.place(instance, host, there.subList(0, Math.min(1, there.size())));
      case 2 -> {
        if (subject % 5 == 0) {
          pass.reject(instance, WHY);
        } else {
          pass.place(instance, host);
        }
      }
      case 3 -> pass.resize(instance, grant, WHY);
      case 4 -> pass.pause(instance, WHY);
      case 5 -> pass.suspend(instance, WHY);
      case 6 -> pass.resume(instance, subject % 2 == 0 ? instance.request().demand() : grant, WHY);
      case 7 -> pass.migrate(instance, host, grant, WHY);
      default -> pass.defer(instance, WHY);
    }
  }
}
