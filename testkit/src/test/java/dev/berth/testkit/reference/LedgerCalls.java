package dev.berth.testkit.reference;

import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.util.List;
import java.util.Optional;

/** Actions that a ledger executes, given by what they do. */
public final class LedgerCalls {

  private static final Reason WHY = new Reason.PolicyChoice("by-the-test", "the test asks for it");

  private LedgerCalls() {}

  /** Executes an action that belongs to a pass. */
  public static void execute(ReferenceCluster ledger, Action action, long pass, long now) {
    long before = ledger.actions().stream().filter(each -> each.pass() == pass).count();
    ledger.execute(new ActionId(pass, (int) before), action, now);
  }

  private static void execute(ReferenceCluster ledger, Action action, long now) {
    execute(ledger, action, 1, now);
  }

  private static String home(ReferenceCluster ledger, String id) {
    return ledger.instance(id).flatMap(ReferenceInstance::hostId).orElse("none");
  }

  public static void place(ReferenceCluster ledger, String id, String host, long pass, long now) {
    execute(ledger, new Action.Place(id, host, List.of()), pass, now);
  }

  public static void place(
      ReferenceCluster ledger, String id, String host, Resources grant, long pass, long now) {
    execute(ledger, new Action.Place(id, host, List.of(), Optional.of(grant), 1), pass, now);
  }

  public static void preempt(ReferenceCluster ledger, String id, long now) {
    execute(ledger, new Action.Preempt(id, home(ledger, id), "another"), now);
  }

  public static void resize(ReferenceCluster ledger, String id, Resources grant) {
    execute(ledger, new Action.Resize(id, home(ledger, id), grant), 0);
  }

  public static void pause(ReferenceCluster ledger, String id, long now) {
    execute(ledger, new Action.Pause(id, home(ledger, id)), now);
  }

  public static void suspend(ReferenceCluster ledger, String id, long now) {
    execute(ledger, new Action.Suspend(id, home(ledger, id)), now);
  }

  public static void resume(ReferenceCluster ledger, String id, Resources grant, long now) {
    execute(ledger, new Action.Resume(id, home(ledger, id), grant, 1), now);
  }

  public static void migrate(
      ReferenceCluster ledger, String id, String host, Resources grant, long pass, long now) {
    execute(ledger, new Action.Migrate(id, home(ledger, id), host, grant, 1), pass, now);
  }

  public static void reject(ReferenceCluster ledger, String id, long now) {
    execute(ledger, new Action.Reject(id, WHY), now);
  }
}
